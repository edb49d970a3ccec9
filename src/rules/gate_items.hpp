// Tests as the gate shows them.
#pragma once

#include <unordered_map>

#include "rules/gate.hpp"

namespace flakestat::rules {

/// Scored tests by their id.
class ScoreIndex {
 public:
  explicit ScoreIndex(const stats::Scores& scores);
  /// Null when it was not scored.
  [[nodiscard]] const TestScore* find(TestId id) const;

 private:
  std::unordered_map<TestId, const TestScore*> tests_;
};

[[nodiscard]] GateItem item_of(const TestScore& test);
[[nodiscard]] GateItem item_of(const AcceptedTest& test);

/// What became of the baseline and of what is flaky now: fills new_flaky, below_threshold, worse, accepted,
/// known_failing, fixed, broken and not_seen.
void compare_with_baseline(const stats::Scores& scores, const ScoreIndex& index, const Baseline& baseline,
                           const RunBook& book, const GateOptions& options, GateResult& result);

/// What the newest run says: fills newest, outages, damaged, selected, missing, failing, unproven, sanitised.
void look_at_newest_run(const stats::Scores& scores, const ScoreIndex& index, const RunBook& book,
                        const GateOptions& options, GateResult& result);

}  // namespace flakestat::rules
