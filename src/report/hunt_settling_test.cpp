#include "report/hunt_settling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/hunt.hpp"
#include "report/samples.hpp"
#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

HuntGoal goal_of(int runs) {
  HuntGoal goal;
  goal.runs = runs;
  return goal;
}

TEST(HuntPlan, SaysHowManyRunsAndWhatTheyCanShow) {
  EXPECT_EQ(plan_line(goal_of(20)),
            "20 runs of every test: in a test that never fails, failure rates above 14 % are ruled out at 95 %");
  auto goal = goal_of(59);
  goal.rule_out = 0.05;
  EXPECT_EQ(plan_line(goal),
            "59 runs of every test: in a test that never fails, failure rates of 5 % and more are ruled out at 95 %");
  goal.settle = true;
  goal.selecting = "pytest";
  goal.max_time_ms = 600'000;
  EXPECT_EQ(
      plan_line(goal),
      "up to 59 runs, each test until it is settled: in a test that never fails, failure rates of 5 % and more are "
      "ruled out at 95 %; later runs name the open tests alone (pytest); no run is begun that would end after "
      "10m00s");
}

TEST(HuntPlan, FewerRunsThanTheRateNeedsAreNotCalledEnough) {
  auto goal = goal_of(30);
  goal.rule_out = 0.05;
  EXPECT_THAT(plan_line(goal), HasSubstr("failure rates above 9.6 % are ruled out"));
}

TEST(HuntPlan, TheTimeIsKnownAfterTheFirstRun) {
  EXPECT_EQ(pace_line(4200, 58, 1), "the first run took 4.2s: at most 58 more runs, about 4m04s");
  EXPECT_EQ(pace_line(4200, 58, 4), "the first run took 4.2s: at most 58 more runs, about 1m03s");
  EXPECT_EQ(pace_line(4200, 1, 1), "the first run took 4.2s: at most 1 more run, about 4.2s");
}

TEST(HuntEnd, SettledAndOpenTestsAreSaid) {
  EXPECT_GOLDEN("hunt/settled.txt", hunt_rates(samples::settling(), {}) + hunt_end(samples::settling()));
}

TEST(HuntEnd, TheWholeDocumentOfASettledHunt) {
  auto hunt = samples::hunt();
  hunt.goal = samples::settling();
  EXPECT_THAT(hunt_text(hunt, samples::every_verdict(), {}),
              AllOf(HasSubstr(" (out of time)\n"), HasSubstr("\nnot settled: 2 tests; 18 more runs")));
  EXPECT_THAT(hunt_json(hunt, samples::every_verdict(), {}),
              AllOf(HasSubstr(R"("stopped": "max-time")"), HasSubstr(R"("narrowed_runs": 40)")));
  hunt.goal.out_of_time = false;
  hunt.goal.settled = true;
  EXPECT_THAT(hunt_text(hunt, samples::every_verdict(), {}), HasSubstr(" (every test is settled)\n"));
  EXPECT_THAT(hunt_json(hunt, samples::every_verdict(), {}), HasSubstr(R"("stopped": "settled")"));
}

TEST(HuntEnd, AHuntWithoutATargetSaysNothingOfSettling) {
  auto goal = samples::settling();
  goal.settle = false;
  goal.rule_out.reset();
  goal.max_time_ms.reset();
  EXPECT_THAT(hunt_end(goal), IsEmpty());
}

TEST(HuntEnd, WhatCleanTestsRuleOutHoldsForTheLeastOfThem) {
  auto goal = goal_of(20);
  goal.settle = true;
  goal.tests = {samples::hunted("a", 20, 0, HuntStanding::clean), samples::hunted("b", 22, 0, HuntStanding::clean)};
  EXPECT_EQ(hunt_end(goal), "settled: 2 tests never failed: failure rates above 14 % are ruled out at 95 %\n");
}

TEST(HuntEnd, LongListsOfOpenTestsAreCut) {
  auto goal = goal_of(20);
  goal.settle = true;
  for (int i = 0; i < 14; ++i)
    goal.tests.push_back(samples::hunted("t" + std::to_string(i), 3, 0, HuntStanding::open, 17));
  EXPECT_THAT(hunt_end(goal), HasSubstr("\n  and 4 more\n"));
}

TEST(HuntRates, FixedRunsHaveTheExactInterval) {
  auto goal = goal_of(20);
  goal.tests = {samples::hunted("a", 17, 3, HuntStanding::disagreed)};
  EXPECT_THAT(hunt_rates(goal, {}), AllOf(StartsWith("failure rates in this hunt (exact"), HasSubstr("3.2 % to 38 %")));
}

TEST(HuntRates, WhereResultsDecideWhenToStopTheIntervalIsWider) {
  auto goal = goal_of(20);
  goal.any_stop = true;
  goal.tests = {samples::hunted("a", 17, 3, HuntStanding::disagreed)};
  EXPECT_THAT(hunt_rates(goal, {}), AllOf(HasSubstr("decided when to stop"), Not(HasSubstr("3.2 % to 38 %"))));
}

TEST(HuntRates, WhatFailedOnlyBesideOtherCopiesIsSaidToBeContended) {
  auto goal = goal_of(20);
  goal.settle = true;
  goal.tests = {samples::hunted("a", 17, 3, HuntStanding::disagreed),
                samples::hunted("b", 17, 3, HuntStanding::disagreed)};
  EXPECT_THAT(hunt_rates(goal, {}) + hunt_end(goal), Not(HasSubstr("contended")));
  goal.tests[1].contended = true;
  EXPECT_THAT(hunt_rates(goal, {}), AllOf(HasSubstr("::b (contended)\n"), Not(HasSubstr("::a (contended)")),
                                          HasSubstr("\n(contended): no proof; ")));
  EXPECT_THAT(hunt_end(goal), HasSubstr("2 tests passed and failed, 1 of them without proof (contended)\n"));
}

TEST(HuntRates, WithoutADisagreementThereIsNone) {
  auto goal = goal_of(20);
  goal.tests = {samples::hunted("a", 20, 0, HuntStanding::clean)};
  EXPECT_THAT(hunt_rates(goal, {}), IsEmpty());
}

}  // namespace
}  // namespace flakestat::report
