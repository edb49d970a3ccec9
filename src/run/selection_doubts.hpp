// A test that passes in the whole suite and fails when only some tests are run (or the other way round) need not be
// flaky: it may depend on a test that was left out. What proves a flake is both results of whole runs, or both of
// narrowed ones: later selections lack no more than tests that have disagreed themselves. Pure.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "run/outcomes.hpp"

namespace flakestat::run {

class SelectionDoubts {
 public:
  /// Takes in a run that was asked for `selected` (empty: for the whole suite). True when it made a test doubtful.
  bool add(std::span<const TestChoice> selected, std::span<const TestOutcome> results);

  /// Passed and failed, but one only in the whole suite and the other only in selections.
  [[nodiscard]] bool is_doubtful(TestId test) const { return doubtful_.contains(test); }
  [[nodiscard]] const std::unordered_set<TestId>& doubtful() const { return doubtful_; }

 private:
  using Tallies = std::unordered_map<TestId, Tally>;
  Tallies whole_, narrowed_, all_;
  std::unordered_set<TestId> proved_, doubtful_;
};

}  // namespace flakestat::run
