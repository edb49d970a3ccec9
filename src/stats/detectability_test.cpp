#include "stats/detectability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace flakestat::stats {
namespace {

TEST(Detectability, RunsNeededAreThoseOfTheTable) {
  const std::pair<double, std::uint64_t> at_5[] = {{0.20, 14},  {0.10, 29},   {0.05, 59},   {0.02, 149},
                                                   {0.01, 299}, {0.005, 598}, {0.001, 2995}};
  for (const auto& [rate, runs] : at_5) EXPECT_EQ(runs_to_rule_out(rate), runs) << rate;
  const std::pair<double, std::uint64_t> at_1[] = {{0.20, 21},  {0.10, 44},   {0.05, 90},   {0.02, 228},
                                                   {0.01, 459}, {0.005, 919}, {0.001, 4603}};
  for (const auto& [rate, runs] : at_1) EXPECT_EQ(runs_to_rule_out(rate, 0.01), runs) << rate;
}

TEST(Detectability, RuledOutAboveAndRunsNeededAreInverse) {
  EXPECT_EQ(ruled_out_above(0), 1.0);
  EXPECT_NEAR(ruled_out_above(20), 0.139108, 1e-6);
  for (std::uint64_t n = 1; n < 2000; ++n) EXPECT_EQ(runs_to_rule_out(ruled_out_above(n)), n);
}

TEST(Detectability, FurtherRunsNeverGoBelowZero) {
  EXPECT_EQ(further_runs(0.01, 100), 199U);
  EXPECT_EQ(further_runs(0.01, 1000), 0U);
}

TEST(Detectability, OddRatesAreAnswered) {
  EXPECT_EQ(runs_to_rule_out(1.0), 1U);
  EXPECT_EQ(runs_to_rule_out(0.0), std::uint64_t{1} << 53);
  EXPECT_EQ(runs_to_rule_out(std::nan("")), std::uint64_t{1} << 53);
  EXPECT_EQ(runs_to_rule_out(0.1, 1.0), 0U);
}

TEST(Detectability, IncompleteBetaAgreesWithTheBinomialSum) {
  for (const int n : {1, 5, 40}) {
    for (int f = 1; f <= n; ++f) {
      for (const double x : {0.01, 0.2, 0.5, 0.77, 0.99}) {
        double tail = 0;  // P(at least f of n)
        for (int i = f; i <= n; ++i) {
          tail += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) + i * std::log(x) +
                           (n - i) * std::log1p(-x));
        }
        EXPECT_NEAR(incomplete_beta(x, f, n - f + 1), tail, 1e-10) << n << " " << f << " " << x;
      }
    }
  }
  EXPECT_EQ(incomplete_beta(0, 2, 3), 0.0);
  EXPECT_EQ(incomplete_beta(1, 2, 3), 1.0);
  EXPECT_NEAR(incomplete_beta(0.5, 7, 7), 0.5, 1e-12) << "at the mean, where both forms meet";
}

TEST(Detectability, ExactIntervalHasTheKnownEdges) {
  const auto none = exact_interval(0, 20);
  EXPECT_EQ(none.lower, 0.0);
  EXPECT_NEAR(none.upper, 0.168433, 1e-6);
  const auto all = exact_interval(20, 20);
  EXPECT_NEAR(all.lower, 1 - 0.168433, 1e-6);
  EXPECT_EQ(all.upper, 1.0);
  const auto some = exact_interval(3, 20);
  EXPECT_NEAR(some.lower, 0.032071, 1e-5);
  EXPECT_NEAR(some.upper, 0.378927, 1e-5);
  EXPECT_EQ(exact_interval(0, 0).upper, 1.0);
}

TEST(Detectability, IntervalUnderStoppingHoldsTheObservedRateAndIsWider) {
  for (const auto& [f, n] : {std::pair{0, 20}, {1, 20}, {10, 20}, {20, 20}, {3, 500}}) {
    const auto a = interval_under_stopping(static_cast<std::uint64_t>(f), static_cast<std::uint64_t>(n));
    const auto b = exact_interval(static_cast<std::uint64_t>(f), static_cast<std::uint64_t>(n));
    const double rate = static_cast<double>(f) / n;
    EXPECT_LE(a.lower, rate);
    EXPECT_GE(a.upper, rate);
    EXPECT_GE(a.upper - a.lower, b.upper - b.lower);
  }
}

// Section 9: in 500 looks it ever excluded the truth in 1.7 to 4.1 % of streams, never more than alpha.
TEST(Detectability, IntervalUnderStoppingIsValidAtEveryLook) {
  std::mt19937_64 random(17);
  const int streams = 300;
  int excluded = 0;
  for (int s = 0; s < streams; ++s) {
    std::uint64_t failures = 0;
    for (std::uint64_t n = 1; n <= 200; ++n) {
      failures += random() % 10 == 0 ? 1U : 0U;
      const auto range = interval_under_stopping(failures, n);
      if (range.lower <= 0.1 && 0.1 <= range.upper) continue;
      ++excluded;
      break;
    }
  }
  // alpha 5 % of 300 is 15; 3 standard deviations more are 26.
  EXPECT_LE(excluded, 26);
}

}  // namespace
}  // namespace flakestat::stats
