// The fold: all executions of a history through the filter, job by job (docs/scoring.md, sections 4 to 8).
#pragma once

#include <cstdint>
#include <vector>

#include "stats/batches.hpp"
#include "stats/bayes_filter.hpp"
#include "stats/break_rate.hpp"
#include "stats/outage.hpp"
#include "stats/tally.hpp"
#include "stats/timeline.hpp"

namespace flakestat::stats {

/// What scoring has prepared; all of it outlives the model.
struct Prepared {
  const ObservationStore& store;
  const Batches& batches;
  const Timeline& timeline;
  const ScoringOptions& options;
};

class BayesModel {
 public:
  explicit BayesModel(const Prepared& prepared);

  /// Folds the whole timeline and fills `tallies`.
  void fold(Tallies& tallies);

  void write(std::uint32_t rank, const Tally& tally, TestScore& out) const;
  /// Run ids of every test's newest proof, in fold order; indexed by rank.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> proof_runs() const;
  [[nodiscard]] const std::vector<Outage>& outages() const { return outages_; }
  [[nodiscard]] double break_rate() const { return break_rate_.current(); }

 private:
  void fold_job(std::uint32_t number, std::span<const Execution> executions);
  [[nodiscard]] FailureLoad load(const Job& job, std::span<const Execution> executions, double rate) const;
  [[nodiscard]] Visit visit(const Job& job, const Execution& execution) const;
  [[nodiscard]] bool in_newest_proof(const Job& job, std::uint32_t job_number, std::uint32_t record) const;

  const Prepared prepared_;
  BayesFilter filter_;
  BreakRate break_rate_;
  Likelihood ordinary_;
  Likelihood contended_;
  std::vector<TestState> states_;    ///< by rank
  std::vector<std::uint8_t> is_default_;  ///< by the store's branch
  std::vector<bool> outage_jobs_;
  std::vector<Outage> outages_;
};

}  // namespace flakestat::stats
