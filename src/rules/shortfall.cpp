#include "rules/shortfall.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace flakestat::rules {
namespace {

// A kind of job that paused longer is no measure any more; it also bounds the work.
constexpr std::size_t kRunsLookedAt = 20;

using Tests = std::vector<std::uint32_t>;

struct Unit {
  std::uint32_t lane = 0;
  Tests tests;
};

bool is_measure(const Part& part) { return !part.hunt && !part.damaged && !part.selected && !part.outage; }

Tests tests_of(const Part& part) {
  Tests tests;
  for (const auto& entry : part.entries) tests.push_back(entry.test);
  return tests;
}

void add(Tests& tests, const Tests& more) {
  Tests all;
  std::set_union(tests.begin(), tests.end(), more.begin(), more.end(), std::back_inserter(all));
  tests = std::move(all);
}

// The jobs of a run, its shards united. `measures_only`: leave out what is no measure for others.
std::vector<Unit> units_of(const RunBook& book, const Run& run, bool measures_only) {
  std::vector<Unit> units;
  std::map<std::uint32_t, Unit> sharded;  // by lane
  for (const auto number : run.parts) {
    const auto& part = book.parts()[number];
    if (part.hunt || (measures_only && !is_measure(part))) continue;
    if (!part.sharded) {
      units.push_back({part.lane, tests_of(part)});
      continue;
    }
    auto& unit = sharded[part.lane];
    unit.lane = part.lane;
    add(unit.tests, tests_of(part));
  }
  for (auto& [lane, unit] : sharded) units.push_back(std::move(unit));
  return units;
}

std::size_t common(const Tests& a, const Tests& b) {
  Tests both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

bool of_a_kind(const Unit& now, const Unit& before) {
  return now.lane == before.lane && !now.tests.empty() && 2 * common(now.tests, before.tests) >= now.tests.size();
}

// The newest earlier job of the kind.
Tests expected_of(const Unit& now, const std::vector<std::vector<Unit>>& earlier) {
  for (const auto& units : earlier) {
    for (const auto& before : units) {
      if (of_a_kind(now, before)) return before.tests;
    }
  }
  return {};
}

// A run that its time stamps put before all others was not the first for that: the others are its measure.
std::vector<std::vector<Unit>> earlier_runs(const RunBook& book, std::uint32_t run) {
  std::vector<std::vector<Unit>> earlier;
  auto order = book.newest_first(book.runs()[run].branch);
  const auto here = std::find(order.begin(), order.end(), run);
  if (std::next(here) == order.end()) order.erase(here);
  else order.erase(order.begin(), std::next(here));
  if (order.size() > kRunsLookedAt) order.resize(kRunsLookedAt);
  for (const auto number : order) earlier.push_back(units_of(book, book.runs()[number], true));
  return earlier;
}

}  // namespace

std::vector<std::uint32_t> find_shortfall(const RunBook& book, std::uint32_t run) {
  const auto earlier = earlier_runs(book, run);
  Tests expected;
  Tests present;
  for (const auto& unit : units_of(book, book.runs()[run], false)) {
    add(expected, expected_of(unit, earlier));
    add(present, unit.tests);
  }
  Tests missing;
  std::set_difference(expected.begin(), expected.end(), present.begin(), present.end(), std::back_inserter(missing));
  return missing;
}

}  // namespace flakestat::rules
