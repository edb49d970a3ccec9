#include "report/family.hpp"

#include <algorithm>
#include <unordered_map>

#include "model/identity.hpp"
#include "report/words.hpp"

namespace flakestat::report {
namespace {

Family empty_family(const TestScore& test) {
  Family family;
  family.id = test.family_id;
  family.name = family_name(test.name);
  return family;
}

void add_member(Family& family, const TestScore& test) {
  family.members.push_back(&test);
  family.score = std::max(family.score, test.score);
  family.lower_bound = std::max(family.lower_bound, test.lower_bound);
  family.runs += test.runs;
  family.passes += test.passes;
  family.fails += test.fails;
  family.skips += test.skips;
}

}  // namespace

std::vector<Family> group_families(std::span<const TestScore> tests) {
  std::vector<Family> families;
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (const auto& test : tests) {
    const auto [place, is_new] = places.try_emplace(static_cast<std::uint64_t>(test.family_id), families.size());
    if (is_new) families.push_back(empty_family(test));
    add_member(families[place->second], test);
  }
  return families;
}

std::string describe_members(const Family& family) {
  std::string out = counted(family.members.size(), "test") + ": ";
  for (std::size_t i = 0; i < family.members.size();) {
    const auto verdict = family.members[i]->verdict;
    std::size_t end = i;
    while (end < family.members.size() && family.members[end]->verdict == verdict) ++end;
    if (i > 0) out += ", ";
    out += std::to_string(end - i) + ' ';
    out += to_string(verdict);
    i = end;
  }
  return out;
}

}  // namespace flakestat::report
