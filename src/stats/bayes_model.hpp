// The fold: all executions of a history through the filter, job by job (docs/scoring.md, sections 4 to 8).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "stats/bayes_shard.hpp"
#include "stats/break_rate.hpp"
#include "stats/team.hpp"

namespace flakestat::stats {

class BayesModel {
 public:
  /// Tests are spread over the team; the numbers do not depend on its size.
  BayesModel(const Prepared& prepared, Team& team);

  /// Folds the whole timeline.
  void fold();

  void write(std::uint32_t rank, TestScore& out) const;
  /// Run ids of every test's newest proof, in fold order; indexed by rank.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> proof_runs() const;
  [[nodiscard]] const std::vector<Outage>& outages() const { return outages_; }
  [[nodiscard]] double break_rate() const { return break_rate_.current(); }

 private:
  [[nodiscard]] FailureLoad load(const Job& job, double rate);
  [[nodiscard]] JobPlan plan(std::uint32_t number, Likelihood& in_outage);
  /// The test passed and failed in one burst of the job.
  [[nodiscard]] bool disagrees(const Job& job, std::uint32_t rank) const;
  [[nodiscard]] bool in_newest_proof(const std::vector<ProofCell>& proofs, const Job& job, std::uint32_t job_number,
                                     std::uint32_t record) const;
  [[nodiscard]] const BayesShard& shard(std::uint32_t rank) const { return *shards_[rank / tests_a_shard_]; }

  const Prepared prepared_;
  Team& team_;
  BayesFilter filter_;
  BreakRate break_rate_;
  Likelihood ordinary_;
  Likelihood contended_;
  std::vector<std::uint8_t> is_default_;  ///< by the store's branch
  std::uint32_t tests_a_shard_;
  std::vector<std::unique_ptr<BayesShard>> shards_;  ///< one a member, in order of rank
  std::vector<bool> outage_jobs_;
  std::vector<Outage> outages_;
};

}  // namespace flakestat::stats
