// Which tests each run reported, compared between runs: who lost cases that the others have. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/case.hpp"

namespace flakestat::run {

/// Sets of tests by masked name (run/varying_names.hpp) and ordinal: a run whose names vary has the same set as the
/// others, a run that lacks one of `t[1]`, `t[2]` does not. Equal sets are kept once, so memory follows tests, not
/// runs. A test that only ever failed is not missed elsewhere: set-up failures and unparsable files appear under names
/// of their own.
class CaseSets {
 public:
  /// Notes the cases of one run; the number returned names its set, equal sets have equal numbers.
  std::size_t add(std::span<const Case> cases);

  /// True when the set holds every test that was ever seen to pass or be skipped.
  [[nodiscard]] bool complete(std::size_t set) const { return sets_[set].complete; }
  /// Runs whose sets are complete.
  [[nodiscard]] std::size_t complete_runs() const;
  /// For every set, how many tests it lacks that count as expected: seen, not only failing, in at least two runs (one
  /// when there are fewer than four runs).
  [[nodiscard]] std::vector<std::size_t> lacking() const;
  [[nodiscard]] std::size_t size(std::size_t set) const { return sets_[set].keys.size(); }

 private:
  struct Set {
    std::vector<std::uint64_t> keys;  ///< sorted
    std::size_t runs = 0;
    bool complete = true;
  };
  [[nodiscard]] std::vector<std::uint64_t> expected() const;

  std::vector<Set> sets_;
  std::vector<std::uint64_t> seen_unfailed_;
  std::size_t runs_ = 0;
};

}  // namespace flakestat::run
