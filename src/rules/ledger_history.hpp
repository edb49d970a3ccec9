// What the ledger would have learned from recorded runs: from the observations of `run`, test by test. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/ledger.hpp"
#include "model/observation.hpp"

namespace flakestat::rules {

/// The key of a test in the ledger, from what a log knows of it: pytest's node id where the file tells that it is
/// pytest's, else the display name.
[[nodiscard]] std::string ledger_key(const ObservationView& observation);

/// Two passes over the same observations in any order, so that memory goes with the failures and not with the log:
/// `notice` everything, then `take` everything. Not thread-safe.
///
/// Of a test in a run: the last attempt failed: failed, quarantined or not. It passed and an earlier one failed, or the
/// framework said so: flaky. Sanitised attempts count for nothing, and what is left decides. Only observations of
/// `run` that name their run.
class LedgerHistory {
 public:
  void notice(const ObservationView& observation);
  void take(const ObservationView& observation);

  /// Runs with events only. Call it once.
  [[nodiscard]] LedgerRuns finish();

  /// Different runs that were noticed, with and without events.
  [[nodiscard]] std::size_t runs() const { return seen_.size(); }

 private:
  struct Attempt {
    std::int32_t number = 0;
    std::int64_t epoch = 0;
    Status status = Status::pass;
    bool known_flaky = false;
  };
  using Attempts = std::map<std::int32_t, std::vector<Attempt>>;  ///< by repetition

  static void decide(const std::string& id, Attempts& attempts, std::vector<LedgerEvent>& events);

  std::unordered_set<std::uint64_t> seen_;      ///< digests of run_ids
  std::unordered_set<std::uint64_t> eventful_;  ///< digests of run and test: a failure, or known flaky
  std::map<std::string, std::unordered_map<std::string, Attempts>> taken_;  ///< by run, by test
};

}  // namespace flakestat::rules
