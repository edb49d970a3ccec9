#include "run/case_sets.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

#include "base/sha256.hpp"
#include "model/identity.hpp"
#include "run/varying_names.hpp"

namespace flakestat::run {
namespace {

using Keys = std::vector<std::uint64_t>;

struct RunKeys {
  Keys all;
  Keys unfailed;
};

// Distinct tests behind one masked name, and how many of them did not fail.
struct Group {
  std::map<TestId, bool> unfailed_by_test;
};

std::uint64_t key_of(std::uint64_t mask, std::size_t ordinal) {
  return first_u64(Sha256().update(to_hex(mask)).update(to_hex(ordinal)).finish());
}

bool includes(const Keys& whole, const Keys& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

Keys united(const Keys& a, const Keys& b) {
  Keys both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

RunKeys keys_of(std::span<const Case> cases) {
  std::unordered_map<std::uint64_t, Group> groups;
  for (const auto& each : cases) {
    const auto mask = test_id(masked(each.suite), masked(each.class_name), masked(each.name));
    const auto exact = test_id(each.suite, each.class_name, each.name);
    groups[static_cast<std::uint64_t>(mask)].unfailed_by_test[exact] |= !is_failure(each.status);
  }
  RunKeys keys;
  for (const auto& [mask, group] : groups) {
    const auto& tests = group.unfailed_by_test;
    const auto unfailed = std::count_if(tests.begin(), tests.end(), [](const auto& test) { return test.second; });
    for (std::size_t i = 0; i < tests.size(); ++i) {
      keys.all.push_back(key_of(mask, i));
      if (i < static_cast<std::size_t>(unfailed)) keys.unfailed.push_back(keys.all.back());
    }
  }
  std::sort(keys.all.begin(), keys.all.end());
  std::sort(keys.unfailed.begin(), keys.unfailed.end());
  return keys;
}

}  // namespace

std::size_t CaseSets::add(std::span<const Case> cases) {
  ++runs_;
  auto keys = keys_of(cases);
  if (!includes(seen_unfailed_, keys.unfailed)) {
    seen_unfailed_ = united(seen_unfailed_, keys.unfailed);
    for (auto& set : sets_) set.complete = set.complete && includes(set.keys, seen_unfailed_);
  }
  auto known = std::find_if(sets_.begin(), sets_.end(), [&](const Set& set) { return set.keys == keys.all; });
  if (known == sets_.end()) {
    const bool complete = includes(keys.all, seen_unfailed_);
    known = sets_.insert(known, {std::move(keys.all), 0, complete});
  }
  ++known->runs;
  return static_cast<std::size_t>(known - sets_.begin());
}

std::size_t CaseSets::complete_runs() const {
  std::size_t runs = 0;
  for (const auto& set : sets_) runs += set.complete ? set.runs : 0;
  return runs;
}

Keys CaseSets::expected() const {
  const std::size_t enough = runs_ < 4 ? 1 : 2;
  std::unordered_map<std::uint64_t, std::size_t> runs_by_key;
  for (const auto& set : sets_) {
    for (const auto key : set.keys) runs_by_key[key] += set.runs;
  }
  Keys keys;
  std::copy_if(seen_unfailed_.begin(), seen_unfailed_.end(), std::back_inserter(keys),
               [&](std::uint64_t key) { return runs_by_key[key] >= enough; });
  return keys;
}

std::vector<std::size_t> CaseSets::lacking() const {
  const auto wanted = expected();
  std::vector<std::size_t> counts;
  for (const auto& set : sets_) {
    Keys lacking;
    std::set_difference(wanted.begin(), wanted.end(), set.keys.begin(), set.keys.end(), std::back_inserter(lacking));
    counts.push_back(lacking.size());
  }
  return counts;
}

}  // namespace flakestat::run
