// Reproduces the burst rows of docs/scoring.md, section 11, for both models, by seeded simulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

#include "stats/bayes_filter.hpp"
#include "stats/bayes_reading.hpp"
#include "stats/flip_rate.hpp"
#include "stats/lane_book.hpp"

namespace flakestat::stats {
namespace {

constexpr double kPublishedTrials = 20'000;

struct Cell {
  int runs;
  double rate;
  double predecessor;  ///< flagged, published
  double bayes;
};
constexpr Cell kCells[] = {
    {100, 0.01, 0.000, 0.630}, {100, 0.02, 0.003, 0.873}, {100, 0.05, 0.188, 0.994}, {100, 0.10, 0.834, 1.000},
    {100, 0.25, 1.000, 1.000}, {20, 0.01, 0.013, 0.183},  {20, 0.02, 0.045, 0.332},  {20, 0.05, 0.210, 0.639},
    {20, 0.10, 0.511, 0.876},  {20, 0.25, 0.939, 0.997},  {100, 0.0, 0.0, 0.0},      {100, 1.0, 0.0, 0.0},
};

int trials() { return std::getenv("FLAKESTAT_SOAK") != nullptr ? 20'000 : 1'500; }

std::vector<bool> burst(std::mt19937_64& random, const Cell& cell) {
  std::vector<bool> out;
  for (int i = 0; i < cell.runs; ++i) {
    out.push_back(static_cast<double>(random() >> 11) * 0x1p-53 < cell.rate);
  }
  return out;
}

bool bayes_flags(const BayesFilter& filter, const std::vector<bool>& failures) {
  TestState test = filter.fresh();
  LaneBook lanes;
  EvidenceArena arena;
  const Visit visit{0, 0, 0, true, 0};
  RunCounts counts;
  Lane& lane = lanes.enter(visit).lane(0);
  const Likelihood likelihood = filter.likelihood(0);
  for (const bool failed : failures) {
    ++(failed ? counts.fails : counts.passes);
    filter.apply(test, lane, arena, visit, {failed, true}, likelihood, 0.003);
  }
  return bayes_verdict(counts, test, read_state(test, lanes, 0, filter), {}, 2) == Verdict::flaky;
}

bool flip_rate_flags(const std::vector<bool>& failures) {
  std::vector<TimedOutcome> series;
  FlipRateCounts counts;
  for (const bool failed : failures) {
    ++(failed ? counts.fails : counts.passes);
    series.push_back({0, 0, true, failed});
  }
  return flip_rate_verdict(counts, flip_rate(series, {}), {}, 2) == Verdict::flaky;
}

// Both figures are samples: four standard deviations of their difference, and half a unit of the printed digit.
double tolerance(double share) {
  const double spread = std::max(share * (1 - share), 1 / kPublishedTrials);
  return 4 * std::sqrt(spread * (1.0 / trials() + 1 / kPublishedTrials)) + 0.0005;
}

TEST(BurstSimulation, FlaggedSharesAreThoseOfTheContract) {
  std::cout << "trials a cell: " << trials() << "\n";
  std::mt19937_64 random(20260817);
  const BayesFilter filter({}, 24LL * 3600 * 1000);
  for (const Cell& cell : kCells) {
    int bayes = 0;
    int predecessor = 0;
    for (int t = 0; t < trials(); ++t) {
      const auto failures = burst(random, cell);
      const auto failed = std::count(failures.begin(), failures.end(), true);
      const bool disagrees = failed > 0 && failed < cell.runs;
      const bool flagged = bayes_flags(filter, failures);
      ASSERT_EQ(flagged, disagrees) << "exactly the samples that disagree (section 10)";
      bayes += flagged ? 1 : 0;
      predecessor += flip_rate_flags(failures) ? 1 : 0;
    }
    const double share = static_cast<double>(bayes) / trials();
    EXPECT_NEAR(share, cell.bayes, tolerance(cell.bayes)) << cell.runs << " runs at " << cell.rate;
    EXPECT_NEAR(static_cast<double>(predecessor) / trials(), cell.predecessor, tolerance(cell.predecessor))
        << cell.runs << " runs at " << cell.rate;
  }
}

}  // namespace
}  // namespace flakestat::stats
