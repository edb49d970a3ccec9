// Plain counts per test, the same under both models.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/test_score.hpp"
#include "stats/bayes_state.hpp"
#include "stats/executions.hpp"
#include "stats/timeline.hpp"

namespace flakestat::stats {

struct Tally {
  UnixMillis first_seen = 0;
  UnixMillis last_seen = 0;
  UnixMillis last_failure = 0;
  std::uint64_t branch_mask = 0;      ///< the store's branches 0 to 63
  std::uint64_t context_seen = 0;     ///< contexts 0 to 63 that the test was in
  std::uint64_t context_skipped = 0;  ///< those in which its latest execution was a skip
  std::uint32_t passes = 0;
  std::uint32_t fails = 0;
  std::uint32_t skips = 0;
  std::uint32_t sanitised = 0;
  std::uint32_t quarantined = 0;
  std::uint32_t weak_flips = 0;
  std::uint32_t commits = 0;
  std::uint32_t branches = 0;
  std::uint32_t first_tries = 0;
  std::uint32_t first_try_fails = 0;
  std::uint32_t last_code = kNone;
  std::uint32_t last_branch = kNone;
  std::uint32_t last_pass = kNone;  ///< record; kNone: never passed
  bool known_flaky = false;
  bool contended_failure = false;
  bool passed_apart = false;  ///< neither contended nor beside copies that shared a host
  bool failed_apart = false;
};

/// Counts for the tests of rank `begin` to `end` - 1, in fold order: all records of a job before those of the next. Not
/// thread-safe.
class Tallies {
 public:
  Tallies(const ObservationStore& store, const Batches& batches, std::uint32_t begin, std::uint32_t end);

  /// One test's part of a job: its records, and the executions made of them.
  void add(const Job& job, std::uint32_t rank, std::span<const std::uint32_t> records,
           std::span<const Execution> executions);

  [[nodiscard]] const Tally& of(std::uint32_t rank) const { return tallies_[rank - begin_]; }
  void write(std::uint32_t rank, TestScore& out) const;

 private:
  void count_record(const Job& job, Tally& tally, std::uint32_t rank, std::uint32_t record);
  void count_execution(const Job& job, Tally& tally, std::uint32_t rank, const Execution& execution);
  void count_branch(Tally& tally, std::uint32_t rank, std::uint32_t branch);
  void count_weak_flip(const Job& job, Tally& tally, std::uint32_t rank, const Execution& execution);

  std::uint32_t context_number(std::uint32_t branch, std::uint32_t environment);
  bool changes_skipping(Tally& tally, std::uint32_t rank, std::uint32_t context, bool skipped);

  const ObservationStore& store_;
  const Batches& batches_;
  std::uint32_t begin_;
  std::vector<Tally> tallies_;
  std::unordered_set<std::uint64_t> more_branches_;                   ///< test and branch, for branches past the mask
  std::unordered_map<std::uint64_t, std::uint32_t> context_numbers_;  ///< by branch and environment
  std::uint64_t last_context_ = UINT64_MAX;
  std::uint32_t last_context_number_ = 0;
  std::unordered_map<std::uint64_t, bool> was_skipped_;  ///< test and context, for contexts past the masks
};

}  // namespace flakestat::stats
