#include "app/hunt_target.hpp"

#include <gtest/gtest.h>

namespace flakestat::app {
namespace {

run::HuntResult with_runs(int measured, int verifying) {
  run::HuntResult found;
  found.runs.resize(static_cast<std::size_t>(measured + verifying));
  found.verifying = verifying;
  return found;
}

TEST(HuntGoalOf, RunsThatVerifyEndAtADisagreementSoTheIntervalMustHoldUnderStopping) {
  run::HuntPlan plan;
  plan.runs = 6;
  EXPECT_FALSE(goal_of(plan, with_runs(6, 0)).any_stop);
  EXPECT_TRUE(goal_of(plan, with_runs(6, 2)).any_stop);
}

TEST(HuntGoalOf, RunsThatVerifyAreNoneOfThoseThatSettlingSaved) {
  run::HuntPlan plan;
  plan.runs = 6;
  plan.settle = true;
  auto found = with_runs(4, 2);
  found.settled = true;
  EXPECT_TRUE(goal_of(plan, found).settled);
  found.verifying = 0;
  EXPECT_FALSE(goal_of(plan, found).settled);
}

TEST(HuntGoalOf, ContendedTestsAreMarked) {
  run::HuntResult found;
  run::SettledTest a;
  a.tally.test = {"s", "s", "a", ""};
  a.tally.beside = {3, 1};
  a.standing = run::Standing::disagreed;
  auto b = a;
  b.tally.test.name = "b";
  found.tests = {a, b};
  found.contended = {{b.tally, false}};
  const auto goal = goal_of({}, found);
  ASSERT_EQ(goal.tests.size(), 2U);
  EXPECT_FALSE(goal.tests[0].contended);
  EXPECT_TRUE(goal.tests[1].contended);
}

}  // namespace
}  // namespace flakestat::app
