// Is a job's failure load its own fault? (docs/scoring.md, section 6)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace flakestat::stats {

/// Sums over the first execution of each test of a job, added in the order of test_id.
struct FailureLoad {
  double expected = 0;  ///< E
  double variance = 0;  ///< V
  std::uint32_t tests = 0;
  std::uint32_t failures = 0;

  void add(double expected_failure) {
    expected += expected_failure;
    variance += expected_failure * (1 - expected_failure);
  }
};

/// Fewer failures than this can be no outage, whatever was expected.
inline constexpr std::uint32_t kLeastOutageFailures = 3;

/// X >= max(3, 3 sqrt(V + 1)). More expected failures never make it true again.
[[nodiscard]] inline bool is_excessive(const FailureLoad& load) {
  const double excess = static_cast<double>(load.failures) - load.expected;
  return excess >= std::max(static_cast<double>(kLeastOutageFailures), 3 * std::sqrt(load.variance + 1));
}

/// h of the job: min(X / tests, 0.95) in an outage, else 0.
[[nodiscard]] inline double hit_rate(const FailureLoad& load) {
  if (load.tests == 0 || !is_excessive(load)) return 0;
  const double excess = static_cast<double>(load.failures) - load.expected;
  return std::min(excess / static_cast<double>(load.tests), 0.95);
}

}  // namespace flakestat::stats
