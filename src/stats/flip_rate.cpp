#include "stats/flip_rate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace flakestat::stats {
namespace {

constexpr double kZ = 0.8416;  // one-sided 80 %

// A pair of neighbours in a context; `ages` of a pair are known only once the whole series is.
struct Pair {
  std::uint64_t changes = 0;  ///< commit changes of the series up to the newer outcome
  double evidence = 0;        ///< e * b * t
};

double wilson_lower(double s, double n) {
  if (!(n > 0)) return 0;
  const double zz = kZ * kZ;
  const double root = std::sqrt(std::max(0.0, s * (1 - s) / n + zz / (4 * n * n)));
  return std::max(0.0, (s + zz / (2 * n) - kZ * root) / (1 + zz / n));
}

}  // namespace

FlipRateReading flip_rate(std::span<const TimedOutcome> series, const FlipRateParameters& parameters) {
  FlipRateReading out;
  std::vector<Pair> pairs;
  const auto see = [&](std::size_t earlier, std::size_t later, std::uint64_t changes) {
    const TimedOutcome& before = series[earlier];
    const TimedOutcome& now = series[later];
    const bool same_commit = before.commit == now.commit;
    const bool flip = before.failed != now.failed;
    const double e = same_commit ? 1.0 : 1.0 / parameters.same_commit_weight;
    const double b = now.default_branch ? 1.0 : parameters.branch_weight;
    pairs.push_back({changes, flip ? e * b : 0.0});
    ++out.transitions;
    if (flip) ++(same_commit ? out.same_commit_flips : out.cross_commit_flips);
  };
  std::uint64_t at = for_each_neighbours(series, see);
  // Newest first: the recency factor is a running product, so no power function can change a bit.
  double recency = 1;
  double flips = 0;
  double weights = 0;
  double squares = 0;
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) {
    for (; at > pair->changes && recency > 0; --at) recency *= 1 - parameters.alpha;
    flips += recency * pair->evidence;
    weights += recency;
    squares += recency * recency;
  }
  if (!(weights > 0) || !(squares > 0)) return out;
  out.score = flips / weights;
  out.effective_n = weights * weights / squares;
  out.lower = wilson_lower(out.score, out.effective_n);
  return out;
}

Verdict flip_rate_verdict(const FlipRateCounts& counts, const FlipRateReading& reading,
                          const FlipRateParameters& parameters, int min_runs) {
  if (counts.known_flaky) return Verdict::flaky;
  const std::uint64_t runs = counts.passes + counts.fails;
  if (runs == 0) return Verdict::always_skipped;
  if (runs < static_cast<std::uint64_t>(std::max(min_runs, 0))) return Verdict::insufficient_data;
  if (counts.passes == 0) return Verdict::consistently_failing;
  if (reading.lower >= parameters.threshold) return Verdict::flaky;
  return reading.score >= parameters.suspect_threshold ? Verdict::suspect : Verdict::stable;
}

Confidence flip_rate_confidence(const FlipRateReading& reading) {
  if (reading.effective_n >= 30) return Confidence::high;
  return reading.effective_n >= 10 ? Confidence::medium : Confidence::low;
}

}  // namespace flakestat::stats
