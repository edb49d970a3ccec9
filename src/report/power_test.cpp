#include "report/power.hpp"

#include <gtest/gtest.h>

#include "report/samples.hpp"

namespace flakestat::report {
namespace {

std::string line_for(std::vector<TestScore> tests) { return power_line(measure_power(tests)); }

TEST(Power, BoundIsOneMinusTheNthRoot) {
  EXPECT_DOUBLE_EQ(ruled_out_above(0), 1);
  EXPECT_NEAR(ruled_out_above(1), 0.95, 1e-12);
  EXPECT_NEAR(ruled_out_above(20), 0.139108, 1e-6);
  EXPECT_LE(ruled_out_above(299), 0.01);
  EXPECT_GT(ruled_out_above(298), 0.01);
}

TEST(Power, RunsNeededAreThoseOfTheScoringPage) {
  EXPECT_EQ(runs_to_rule_out(0.20), 14U);
  EXPECT_EQ(runs_to_rule_out(0.10), 29U);
  EXPECT_EQ(runs_to_rule_out(0.05), 59U);
  EXPECT_EQ(runs_to_rule_out(0.02), 149U);
  EXPECT_EQ(runs_to_rule_out(0.01), 299U);
  EXPECT_EQ(runs_to_rule_out(0.005), 598U);
  EXPECT_EQ(runs_to_rule_out(0.001), 2995U);
  EXPECT_EQ(runs_to_rule_out(0.95), 1U);  // exactly one: the allowance for rounding
}

TEST(PowerLine, EqualRuns) {
  EXPECT_EQ(line_for({samples::stable("a", 20), samples::stable("b", 20)}),
            "20 clean runs rule out failure rates above 14 % (95 % confidence); 299 runs would rule out 1 %");
}

TEST(PowerLine, OneRunIsSingular) {
  EXPECT_EQ(line_for({samples::stable("a", 1)}),
            "1 clean run rules out failure rates above 95 % (95 % confidence); 299 runs would rule out 1 %");
}

TEST(PowerLine, GoalsMoveOnWhenReached) {
  EXPECT_EQ(line_for({samples::stable("a", 299)}),
            "299 clean runs rule out failure rates above 1 % (95 % confidence); 2995 runs would rule out 0.1 %");
  EXPECT_EQ(line_for({samples::stable("a", 2995)}),
            "2995 clean runs rule out failure rates above 0.1 % (95 % confidence)");
}

TEST(PowerLine, MixedHistoriesUseTheMedianOfStableTests) {
  EXPECT_EQ(line_for({samples::flaky("x", 0.5, 0.1, 900, 5), samples::stable("a", 3), samples::stable("b", 20),
                      samples::stable("c", 500)}),
            "median of 3 stable tests: 20 clean runs rule out failure rates above 14 % (95 % confidence); "
            "299 runs would rule out 1 %");
}

TEST(PowerLine, OfTwoMiddleTestsTheOneThatShowsLess) {
  EXPECT_EQ(measure_power(std::vector{samples::stable("a", 3), samples::stable("b", 20)}).clean_runs, 3U);
}

TEST(PowerLine, TestsThatNeverFailedHaveTheirPassesWhereNothingIsCounted) {
  auto uncounted = samples::stable("a", 20);
  uncounted.clean_runs = 0;
  EXPECT_EQ(measure_power(std::vector{uncounted}).clean_runs, 20U);
  uncounted.fails = 1;
  EXPECT_EQ(measure_power(std::vector{uncounted}).clean_runs, 0U);
}

TEST(PowerLine, NothingStable) {
  EXPECT_EQ(line_for({samples::broken("a", 20)}),
            "no test is stable: no failure rate is ruled out; 59 clean runs of a test would rule out failure rates "
            "above 5 % (95 % confidence), 299 above 1 %");
}

TEST(PowerLine, NothingRan) {
  EXPECT_EQ(line_for({}), "nothing ran: no failure rate is ruled out");
  EXPECT_EQ(line_for({samples::score("s", "c", "n", Verdict::always_skipped)}),
            "nothing ran: no failure rate is ruled out");
}

}  // namespace
}  // namespace flakestat::report
