// The filter of docs/scoring.md, section 4: one execution in, one test's probabilities moved. Pure: no clock, no order
// of its own. Executions of a test must come code by code (all of one code before the next).
#pragma once

#include <cstdint>

#include "stats/bayes_state.hpp"
#include "stats/scoring.hpp"

namespace flakestat::stats {

/// Where an execution happened, in numbers. Codes are numbered in commit order over the whole project.
struct Visit {
  std::uint32_t branch = 0;
  std::uint32_t environment = 0;
  std::uint32_t code = 0;
  bool default_branch = false;
  UnixMillis job_start = 0;  ///< 0: unknown
};

/// How well each state explains an outcome at one hit rate (step 4).
struct Likelihood {
  Levels healthy_pass;
  Levels healthy_fail;
  double broken_pass = 0;
  double broken_fail = 0;
};

/// One outcome.
struct Outcome {
  bool failed = false;
  bool can_prove = true;  ///< false in outages and unconfirmed contention
};

/// What an execution says about the project's break rate (section 7).
struct BreakSample {
  bool counts = false;
  double broke = 0;
};

/// Thread-safe: `apply` changes only what it is given. A test keeps to one arena.
class BayesFilter {
 public:
  /// `window_ms`: same-code window. `several_environments` false lets the filter skip the bookkeeping that only a
  /// second environment would read; the numbers are the same bits either way.
  BayesFilter(const BayesParameters& parameters, std::int64_t window_ms, bool several_environments = true);

  [[nodiscard]] TestState fresh() const;

  /// Likelihoods of an execution in a run of this hit rate (clamped to [0, 0.95]).
  [[nodiscard]] Likelihood likelihood(double hit_rate) const;

  /// Steps 1 to 7. `lane` is the one that the execution belongs to (lane_book.hpp), free when it is new. `break_rate`
  /// is the default branch's.
  BreakSample apply(TestState& test, Lane& lane, EvidenceArena& arena, const Visit& visit, Outcome outcome,
                    const Likelihood& likelihood, double break_rate) const;

  /// q of section 6: the chance that this execution fails, seen after step 3; nothing is changed. `lane` may be null:
  /// new.
  [[nodiscard]] double expected_failure(const TestState& test, const Lane* lane, const Visit& visit,
                                        double break_rate) const;

  [[nodiscard]] const Levels& rates() const { return rates_; }

 private:
  struct Arrival;
  struct Shift;
  [[nodiscard]] Arrival arrive(const TestState& test, const Lane* lane, const Visit& visit) const;
  void drift(Levels& weight) const;
  static void begin_evidence(BranchEvidence& evidence, const Arrival& arrival, const Visit& visit);
  BreakSample move(TestState& test, Lane& lane, EvidenceArena& arena, const Arrival& arrival, const Visit& visit,
                   bool failed, const Likelihood& likelihood, double break_rate) const;
  void count(TestState& test, Lane& lane, const Arrival& arrival, const Visit& visit, Outcome outcome) const;
  void shift(Lane& lane, const BranchEvidence* evidence, double break_rate, Shift& out) const;
  [[nodiscard]] double lane_break_rate(const Lane& lane, double break_rate) const;
  [[nodiscard]] bool reopened(const Lane& lane, const Visit& visit) const;
  [[nodiscard]] Lane new_lane(const Visit& visit) const;

  BayesParameters parameters_;
  std::int64_t window_ms_;
  bool several_environments_;
  Levels rates_;
  Levels prior_;
  Levels drift_in_;  ///< change rate times prior
  double drift_keep_;
};

/// Did more than 64 codes of the project pass between these two (section 4, last paragraph)?
[[nodiscard]] bool is_silent_too_long(std::uint32_t newest_code, std::uint32_t code);

/// Is this lane, outside the default branch, forgotten when `code` begins?
[[nodiscard]] bool is_forgotten(const Lane& lane, std::uint32_t code);

}  // namespace flakestat::stats
