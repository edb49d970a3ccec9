// A test that passes in the whole suite and fails when only some tests are run (or the other way round) need not be
// flaky: it may depend on a test that was left out. What proves a flake is both results under one selection. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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

  /// Passed and failed, but never under one selection.
  [[nodiscard]] bool is_doubtful(TestId test) const { return doubtful_.contains(test); }
  [[nodiscard]] const std::unordered_set<TestId>& doubtful() const { return doubtful_; }

 private:
  using Tallies = std::unordered_map<TestId, Tally>;
  struct Selected {
    std::uint64_t key = 0;
    Tallies tests;
  };
  static constexpr std::size_t kMostSelections = 8;  // the latest: tests that are settled are not selected again

  Tallies& tallies_of(std::span<const TestChoice> selected);

  Tallies whole_, all_;
  std::deque<Selected> selections_;
  std::unordered_set<TestId> proved_, doubtful_;
};

}  // namespace flakestat::run
