#include "dispatch/work_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "dispatch/schedule_fixture.hpp"

namespace flakestat::dispatch {
namespace {

std::vector<WorkUnit> plan(const Suite& suite, Dist dist, int workers, Start start = Start::slow_first) {
  const auto tests = suite.tests();
  return plan_units(tests, expected_costs(tests), dist, workers, start);
}

TEST(WorkPlan, WordsOfDist) {
  EXPECT_EQ(parse_dist("load"), Dist::load);
  EXPECT_EQ(parse_dist("worksteal"), Dist::load);
  EXPECT_EQ(parse_dist("loadfile"), Dist::loadfile);
  EXPECT_EQ(parse_dist("loadscope"), Dist::loadscope);
  EXPECT_EQ(parse_dist("loadgroup"), Dist::loadgroup);
  EXPECT_EQ(parse_dist("each"), Dist::each);
  EXPECT_FALSE(parse_dist("no") || parse_dist("") || parse_dist("Load") || parse_dist("load "));
}

TEST(WorkPlan, FileAndScopeOfANodeId) {
  EXPECT_EQ(file_of("a/b.py::C::t[x::y]"), "a/b.py");
  EXPECT_EQ(file_of("a/b.txt"), "a/b.txt");
  EXPECT_EQ(scope_of("a/b.py::C::D::t"), "a/b.py::C::D");
  EXPECT_EQ(scope_of("a/b.py::t"), "a/b.py");
  EXPECT_EQ(scope_of("a/b.py"), "a/b.py");
  EXPECT_EQ(scope_of("a/b.py::C::t[x::y]"), "a/b.py::C") << "a parameter is no class";
  EXPECT_EQ(scope_of("a/[b]/c.py::t[x::y]"), "a/[b]/c.py");
  EXPECT_EQ(scope_of(""), "");
  EXPECT_EQ(scope_of("::"), "");
}

TEST(WorkPlan, UnknownDurationsCountAsTheMedianOfKnownOnes) {
  Suite suite;
  for (const double seconds : {1.0, 100.0, 3.0}) suite.add("a.py::t", seconds);
  suite.add("a.py::u", 0, false);
  suite.add("a.py::nan", std::nan(""));
  suite.add("a.py::inf", std::numeric_limits<double>::infinity());
  suite.add("a.py::negative", -4);
  suite.add("a.py::zero", 0);
  const auto costs = expected_costs(suite.tests());
  EXPECT_TRUE(costs.known);
  EXPECT_EQ(costs.of, (std::vector<double>{1, 100, 3, 3, 3, 3, 3, 0.001}));
  const auto none = expected_costs(std::vector<ScheduledTest>(2));
  EXPECT_FALSE(none.known);
  EXPECT_EQ(none.of, (std::vector<double>{1, 1}));
}

TEST(WorkPlan, WithoutDurationsChunksAreBlocksOfTheGivenOrderThatShrink) {
  Suite suite;
  for (int i = 0; i < 1000; ++i) suite.add("test_" + std::to_string(i / 10) + ".py::t", 0, false);
  const auto units = plan(suite, Dist::load, 4);
  std::size_t next = 0;
  for (const auto& unit : units) {
    EXPECT_TRUE(unit.divisible);
    for (const auto test : unit.tests) EXPECT_EQ(test, next++);
  }
  EXPECT_EQ(next, 1000U);
  EXPECT_NEAR(static_cast<double>(units.front().tests.size()), 1000 / 8.0, 10);
  for (const auto& unit : units) EXPECT_EQ(unit.tests.size() % 10, 0U) << "ends with a file";
  EXPECT_EQ(units.back().tests.size(), 10U);
  EXPECT_LT(units.size(), 50U);
}

TEST(WorkPlan, AFileThatIsMuchOfTheSuiteIsCut) {
  Suite suite;
  for (int i = 0; i < 1000; ++i) suite.add("test_1.py::t" + std::to_string(i), 0, false);
  const auto units = plan(suite, Dist::load, 4);
  EXPECT_NEAR(static_cast<double>(units.front().tests.size()), 1000 / 8.0, 1);
  EXPECT_LE(units.back().tests.size(), 1000 / 4 / 40 * 1.5);
  for (std::size_t k = 1; k < units.size(); ++k) EXPECT_LE(units[k].tests.size(), units[k - 1].tests.size() + 3);
}

TEST(WorkPlan, FilesWithSlowTestsComeFirstInTheirOwnOrder) {
  Suite suite;
  for (int f = 0; f < 8; ++f) {
    for (int t = 0; t < 50; ++t) suite.add("test_" + std::to_string(f) + ".py::t", f == 5 && t == 30 ? 2 : 0.2);
  }
  const auto units = plan(suite, Dist::load, 2);
  EXPECT_EQ(units.front().tests.front(), 250U);
  for (const auto& unit : units)
    EXPECT_TRUE(std::is_sorted(unit.tests.begin(), unit.tests.end()) ||
                file_of(suite.ids[unit.tests.front()]) != file_of(suite.ids[unit.tests.back()]));
  const auto as_given = plan(suite, Dist::load, 2, Start::as_given);
  EXPECT_EQ(as_given.front().tests.front(), 0U);
}

TEST(WorkPlan, DurationsThatWaverDoNotChangeTheOrder) {
  Suite suite;
  Suite other;
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const auto id = "test_" + std::to_string(i / 10) + ".py::t";
    suite.add(id, 0.3 + 0.0001 * static_cast<double>(random() % 1000));
    other.add(id, 0.3 + 0.0001 * static_cast<double>(random() % 1000));
  }
  const auto order = [](const std::vector<WorkUnit>& units) {
    std::vector<std::size_t> all;
    for (const auto& unit : units) all.insert(all.end(), unit.tests.begin(), unit.tests.end());
    return all;
  };
  EXPECT_EQ(order(plan(suite, Dist::load, 4)), order(plan(other, Dist::load, 4)));
}

TEST(WorkPlan, BoundUnitsComeByTheirSum) {
  Suite suite;
  const std::vector<int> counts{3, 9, 1, 5};
  for (std::size_t f = 0; f < counts.size(); ++f) {
    for (int t = 0; t < counts[f]; ++t) suite.add("f" + std::to_string(f) + ".py::t", 0, false);
  }
  std::vector<std::size_t> sizes;
  for (const auto& unit : plan(suite, Dist::loadfile, 2)) {
    EXPECT_FALSE(unit.divisible);
    sizes.push_back(unit.tests.size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{9, 5, 3, 1}));
  suite.expected.assign(suite.size(), 1.0);
  suite.expected[12] = 60;  // the only test of the third file
  EXPECT_EQ(plan(suite, Dist::loadfile, 2).front().tests, (std::vector<std::size_t>{12}));
}

TEST(WorkPlan, GroupsAreWholeAndTheRestIsAsWithLoad) {
  Suite suite;
  for (int i = 0; i < 200; ++i) suite.add("f" + std::to_string(i / 20) + ".py::t", 0.1, true, i % 40 == 0 ? "db" : "");
  std::set<std::size_t> seen;
  std::size_t groups = 0;
  for (const auto& unit : plan(suite, Dist::loadgroup, 4)) {
    for (const auto test : unit.tests) {
      EXPECT_EQ(suite.groups[test].empty(), unit.divisible);
      EXPECT_TRUE(seen.insert(test).second);
    }
    groups += unit.divisible ? 0 : 1;
  }
  EXPECT_EQ(seen.size(), 200U);
  EXPECT_EQ(groups, 1U);
}

TEST(WorkPlan, AnUrgentTestDrawsItsUnitWithIt) {
  Suite suite;
  for (int i = 0; i < 60; ++i) suite.add("f" + std::to_string(i / 10) + ".py::t", 1);
  suite.urgent[44] = true;
  const auto units = plan(suite, Dist::loadfile, 2);
  EXPECT_EQ(units.front().tests, (std::vector<std::size_t>{40, 41, 42, 43, 44, 45, 46, 47, 48, 49}));
  EXPECT_EQ(plan(suite, Dist::load, 2).front().tests, (std::vector<std::size_t>{44}));
}

TEST(WorkPlan, NoNamesAtAllAreHarmless) {
  Suite suite;
  for (int i = 0; i < 20; ++i) suite.add("", 1);
  for (const auto dist : {Dist::load, Dist::loadfile, Dist::loadscope, Dist::loadgroup}) {
    std::size_t count = 0;
    for (const auto& unit : plan(suite, dist, 0)) count += unit.tests.size();
    EXPECT_EQ(count, 20U);
  }
}

}  // namespace
}  // namespace flakestat::dispatch
