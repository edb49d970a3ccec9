// What is read from a test's probabilities: outputs, verdict, confidence (docs/scoring.md, section 5). Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "model/status.hpp"
#include "stats/bayes_filter.hpp"
#include "stats/lane_book.hpp"

namespace flakestat::stats {

/// P(broken) from which an environment counts as red, and the evidence that `lower` needs.
inline constexpr double kCredible = 0.95;

struct BayesReading {
  double p_flaky = 0;
  double score = 0;
  double rate = 0;
  double lower = 0;
  double p_broken = 0;
  std::vector<std::uint32_t> broken_environments;  ///< default-branch lanes with P(broken) >= 0.95, as kept
};

/// `number`: the test's in `lanes`.
[[nodiscard]] BayesReading read_state(const TestState& test, const LaneBook& lanes, std::uint32_t number,
                                      const BayesFilter& filter);

/// The counts that verdicts look at.
struct RunCounts {
  std::uint64_t passes = 0;
  std::uint64_t fails = 0;
  /// A pass and a failure disagreed only under contention: at most `suspect` while it is no proof.
  bool contended_disagreement = false;
  /// The passes, or the failures, all happened under contention or beside copies that shared a host.
  bool only_beside = false;

  [[nodiscard]] std::uint64_t runs() const { return passes + fails; }
};

[[nodiscard]] Verdict bayes_verdict(const RunCounts& counts, const TestState& test, const BayesReading& reading,
                                    const BayesParameters& parameters, int min_runs);

[[nodiscard]] Confidence bayes_confidence(Verdict verdict, const TestState& test, const BayesReading& reading);

}  // namespace flakestat::stats
