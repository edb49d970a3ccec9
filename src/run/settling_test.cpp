#include "run/settling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stats/detectability.hpp"

namespace flakestat::run {
namespace {

TEST(Settling, TheBudgetIsTheNumberOfCleanRunsThatRuleTheRateOut) {
  const std::pair<double, int> table[] = {{0.20, 14},  {0.10, 29},   {0.05, 59},   {0.02, 149},
                                          {0.01, 299}, {0.005, 598}, {0.001, 2995}};
  for (const auto& [rate, runs] : table) EXPECT_EQ(runs_that_rule_out(rate), runs) << rate;
  EXPECT_EQ(runs_that_rule_out(1e-12), 1'000'000);
}

TEST(Settling, TheFirstDisagreementSettlesATest) {
  const auto rule = settling_rule(59, 0.05);
  EXPECT_EQ(standing_of({1, 1}, rule), Standing::disagreed);
  EXPECT_EQ(standing_of({58, 1}, rule), Standing::disagreed);
  EXPECT_EQ(standing_of({1, 13}, rule), Standing::disagreed);
}

TEST(Settling, AsManyPassesAsTheRateNeedsSettleATest) {
  const auto rule = settling_rule(59, 0.05);
  EXPECT_EQ(standing_of({58, 0}, rule), Standing::open);
  EXPECT_EQ(standing_of({59, 0}, rule), Standing::clean);
  EXPECT_EQ(standing_of({60, 0}, rule), Standing::clean);
}

TEST(Settling, FourteenFailuresWithoutAPassAreBrokenWithRuleOutOnly) {
  EXPECT_EQ(standing_of({0, 13}, settling_rule(59, 0.05)), Standing::open);
  EXPECT_EQ(standing_of({0, 14}, settling_rule(59, 0.05)), Standing::broken);
  EXPECT_EQ(standing_of({0, 14}, settling_rule(59, {})), Standing::open);
  EXPECT_EQ(standing_of({0, 59}, settling_rule(59, {})), Standing::broken);
}

TEST(Settling, ACoarseRateNeedsNoMoreFailuresThanPasses) { EXPECT_EQ(settling_rule(6, 0.4), (SettlingRule{6, 6})); }

TEST(Settling, FewerRunsThanTheRateNeedsSettleNothingAsClean) {
  const auto rule = settling_rule(30, 0.05);
  EXPECT_EQ(standing_of({30, 0}, rule), Standing::open);
  EXPECT_EQ(runs_to_settle({30, 0}, rule), 29);
}

TEST(Settling, WithoutRuleOutTheRunsAreTheBudget) {
  EXPECT_EQ(standing_of({19, 0}, settling_rule(20, {})), Standing::open);
  EXPECT_EQ(standing_of({20, 0}, settling_rule(20, {})), Standing::clean);
}

TEST(Settling, ATestThatNeverRanIsNeitherOpenNorSettled) {
  const auto standing = standing_of({}, settling_rule(20, {}));
  EXPECT_EQ(standing, Standing::unseen);
  EXPECT_FALSE(is_settled(standing));
}

TEST(Settling, WhatIsMissingNeverGoesBelowZero) {
  const auto rule = settling_rule(59, 0.05);
  EXPECT_EQ(runs_to_settle({}, rule), 59);
  EXPECT_EQ(runs_to_settle({41, 0}, rule), 18);
  EXPECT_EQ(runs_to_settle({80, 0}, rule), 0);
  EXPECT_EQ(runs_to_settle({0, 4}, rule), 10);
  EXPECT_EQ(runs_to_settle({1, 1}, rule), 0);
}

class Stream {
 public:
  Stream(std::mt19937_64& random, double rate) : random_(random), rate_(rate) {}

  /// Runs the test until it is settled.
  Tally settle(const SettlingRule& rule) {
    Tally seen;
    while (!is_settled(standing_of(seen, rule))) ++(fails() ? seen.fails : seen.passes);
    return seen;
  }

 private:
  bool fails() { return static_cast<double>(random_() >> 11) * 0x1p-53 < rate_; }

  std::mt19937_64& random_;
  double rate_;
};

// The run at which a test of rate p settles, exactly: it is still open after n runs when all passed (n < 59) or all
// failed (n < 14).
double mean_runs(double p, const SettlingRule& rule) {
  double mean = 1;
  for (int n = 1; n < rule.clean_after; ++n) mean += std::pow(1 - p, n);
  for (int n = 1; n < rule.broken_after; ++n) mean += std::pow(p, n);
  return mean;
}

TEST(Settling, MeanRunsAreThoseOfTheTable) {
  const auto rule = settling_rule(59, 0.05);
  const std::pair<double, double> table[] = {{0, 59}, {0.01, 44.7}, {0.05, 19.1}, {0.10, 10.1}, {0.25, 4.3}, {0.5, 3}};
  const int streams = 4000;
  std::mt19937_64 random(5);
  for (const auto& [rate, runs] : table) {
    EXPECT_NEAR(mean_runs(rate, rule), runs, 0.051) << rate;
    double sum = 0;
    double squares = 0;
    Stream stream(random, rate);
    for (int i = 0; i < streams; ++i) {
      const auto outcome = stream.settle(rule);
      const auto made = static_cast<double>(outcome.runs());
      sum += made;
      squares += made * made;
    }
    const double mean = sum / streams;
    const double spread = std::sqrt(std::max(0.0, squares / streams - mean * mean) / streams);
    EXPECT_NEAR(mean, mean_runs(rate, rule), 4.5 * spread + 1e-9) << rate;
  }
}

// The interval that is printed beside rates of a settled hunt: at the moment when the rules stop asking, it holds the
// true rate in 95 % of all streams, whatever that rate is. The exact interval for a fixed number does not.
TEST(Settling, TheIntervalUnderStoppingHoldsTheRateWhereTheRulesStop) {
  const int streams = 600;
  std::mt19937_64 random(11);
  for (const double rate : {0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 0.9}) {
    int missed = 0;
    Stream stream(random, rate);
    for (int i = 0; i < streams; ++i) {
      const auto outcome = stream.settle(settling_rule(59, 0.05));
      const auto range = stats::interval_under_stopping(outcome.fails, outcome.runs());
      missed += range.lower <= rate && rate <= range.upper ? 0 : 1;
    }
    // 5 % of 600 are 30; 4 standard deviations more are 51.
    EXPECT_LE(missed, 51) << rate;
  }
}

TEST(Settling, TheIntervalUnderStoppingHoldsTheRateAtEveryLook) {
  const int streams = 400;
  std::mt19937_64 random(23);
  for (const double rate : {0.02, 0.25, 0.9}) {
    int ever_missed = 0;
    for (int s = 0; s < streams; ++s) {
      std::uint64_t fails = 0;
      for (std::uint64_t n = 1; n <= 150; ++n) {
        fails += static_cast<double>(random() >> 11) * 0x1p-53 < rate ? 1U : 0U;
        const auto range = stats::interval_under_stopping(fails, n);
        if (range.lower <= rate && rate <= range.upper) continue;
        ++ever_missed;
        break;
      }
    }
    // 5 % of 400 are 20; 4 standard deviations more are 37.
    EXPECT_LE(ever_missed, 37) << rate;
  }
}

}  // namespace
}  // namespace flakestat::run
