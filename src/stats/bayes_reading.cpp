#include "stats/bayes_reading.hpp"

#include <algorithm>
#include <numeric>

#include "stats/detectability.hpp"

namespace flakestat::stats {
namespace {

// Levels 1 to 23 from the most to the least severe; levels of equal severity are neighbours.
std::array<std::size_t, kLevels - 1> by_severity() {
  std::array<std::size_t, kLevels - 1> order;
  std::iota(order.begin(), order.end(), std::size_t{1});
  std::stable_sort(order.begin(), order.end(),
                   [](std::size_t a, std::size_t b) { return kFlakeSeverities[a - 1] > kFlakeSeverities[b - 1]; });
  return order;
}

double lower_bound(const Levels& weight) {
  static const auto kOrder = by_severity();
  double mass = 0;
  for (const std::size_t level : kOrder) {
    mass += weight[level];
    if (mass >= kCredible) return kFlakeSeverities[level - 1];
  }
  return 0;
}

double p_broken(const Levels& weight, const Lane& lane) {
  double out = 0;
  for (std::size_t k = 0; k < kLevels; ++k) out += weight[k] * lane.broken[k];
  return out;
}

Confidence at_most(double value, double high, double medium) {
  if (value <= high) return Confidence::high;
  return value <= medium ? Confidence::medium : Confidence::low;
}

Confidence at_least(double value, double high, double medium) {
  if (value >= high) return Confidence::high;
  return value >= medium ? Confidence::medium : Confidence::low;
}

}  // namespace

BayesReading read_state(const TestState& test, const LaneBook& lanes, std::uint32_t number, const BayesFilter& filter) {
  BayesReading out;
  out.p_flaky = 1 - test.weight[0];
  for (std::size_t k = 1; k < kLevels; ++k) {
    const double p = filter.rates()[k];
    out.score += test.weight[k] * 2 * p * (1 - p);
    out.rate += test.weight[k] * p;
  }
  out.lower = lower_bound(test.weight);
  bool seen = false;
  lanes.for_each_default_lane(number, [&](const Lane& lane) {
    const double broken = p_broken(test.weight, lane);
    out.p_broken = seen ? std::min(out.p_broken, broken) : broken;
    seen = true;
    if (broken >= kCredible) out.broken_environments.push_back(lane.environment);
  });
  return out;
}

Verdict bayes_verdict(const RunCounts& counts, const TestState& test, const BayesReading& reading,
                      const BayesParameters& parameters, int min_runs) {
  if (counts.runs() == 0) return Verdict::always_skipped;
  const auto least = static_cast<std::uint64_t>(std::max(min_runs, 0));
  if (counts.runs() < least && test.proofs == 0) return Verdict::insufficient_data;
  if (counts.passes == 0) return Verdict::consistently_failing;
  // The copies may have disturbed each other: without proof that accuses nobody.
  if (test.flagged && (test.proofs > 0 || !counts.only_beside)) return Verdict::flaky;
  if (reading.p_broken >= kCredible) return Verdict::consistently_failing;
  const bool doubtful = test.flagged || counts.contended_disagreement;
  if (reading.p_flaky >= parameters.suspect || doubtful) return Verdict::suspect;
  return Verdict::stable;
}

Confidence bayes_confidence(Verdict verdict, const TestState& test, const BayesReading& reading) {
  switch (verdict) {
    case Verdict::flaky:
    case Verdict::suspect: return at_least(reading.p_flaky, 0.999, 0.99);
    case Verdict::stable: return at_most(ruled_out_above(test.clean), 0.01, 0.05);
    case Verdict::consistently_failing: return at_most(ruled_out_above(test.failing_run), 0.05, 0.20);
    case Verdict::insufficient_data:
    case Verdict::always_skipped: break;
  }
  return Confidence::low;
}

}  // namespace flakestat::stats
