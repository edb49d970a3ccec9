// The predecessor's rule (docs/scoring.md, section 2): weighted share of neighbouring outcomes that differ.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "model/status.hpp"
#include "stats/scoring.hpp"

namespace flakestat::stats {

/// One outcome of a test, in the order of time. Skips are left out.
struct TimedOutcome {
  std::uint32_t context = 0;  ///< branch + os + arch + runtime
  std::uint32_t commit = 0;   ///< unknown commits share one number
  bool default_branch = false;
  bool failed = false;
};

/// Calls `see(before, now, changes)` with the indices of every two neighbours in a context, in order of the newer one;
/// `changes`: how often the commit of the series changed up to it. Returns how often it changed in all.
template <class See>
std::uint64_t for_each_neighbours(std::span<const TimedOutcome> series, See see) {
  std::unordered_map<std::uint32_t, std::size_t> newest;  // context -> index of its newest outcome
  std::uint64_t changes = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (i > 0 && series[i - 1].commit != series[i].commit) ++changes;
    const auto [slot, first] = newest.try_emplace(series[i].context, i);
    if (first) continue;
    see(slot->second, i, changes);
    slot->second = i;
  }
  return changes;
}

struct FlipRateReading {
  double score = 0;
  double effective_n = 0;
  double lower = 0;
  std::uint32_t transitions = 0;
  std::uint32_t same_commit_flips = 0;
  std::uint32_t cross_commit_flips = 0;
};

[[nodiscard]] FlipRateReading flip_rate(std::span<const TimedOutcome> series, const FlipRateParameters& parameters);

struct FlipRateCounts {
  std::uint64_t passes = 0;
  std::uint64_t fails = 0;
  bool known_flaky = false;
};

[[nodiscard]] Verdict flip_rate_verdict(const FlipRateCounts& counts, const FlipRateReading& reading,
                                        const FlipRateParameters& parameters, int min_runs);

[[nodiscard]] Confidence flip_rate_confidence(const FlipRateReading& reading);

}  // namespace flakestat::stats
