// The predecessor's rule (docs/scoring.md, section 2): weighted share of neighbouring outcomes that differ.
#pragma once

#include <cstdint>
#include <span>

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
