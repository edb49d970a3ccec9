// Accepting the present state: the next baseline and what changes. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/baseline.hpp"
#include "stats/scoring.hpp"

namespace flakestat::rules {

struct BaselineChange {
  Baseline baseline;
  std::vector<AcceptedTest> added;
  std::vector<AcceptedTest> removed;  ///< no longer flaky, or pruned
  std::vector<AcceptedTest> kept;     ///< as they are now
  std::vector<AcceptedTest> unseen;   ///< among `kept`: nothing was seen of them, so they stay as they were
  std::string model_before;           ///< differs from the baseline's when the model changed
};

/// The flaky tests of `scores` are accepted. Entries of `before` stay while the test is flaky or suspect, and go when
/// it was seen to be neither; entries with too few executions to tell (none, skips only) stay as they were, unless
/// `prune`: not run is not healthy.
[[nodiscard]] BaselineChange accept(const stats::Scores& scores, const std::string& model, const Baseline& before,
                                    bool prune);

}  // namespace flakestat::rules
