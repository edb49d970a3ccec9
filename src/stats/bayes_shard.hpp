// The part of the fold that belongs to a range of tests: their states, lanes and counts. Shards share nothing that
// changes, so they may work side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/bayes_filter.hpp"
#include "stats/job_reader.hpp"
#include "stats/lane_book.hpp"
#include "stats/outage.hpp"
#include "stats/tally.hpp"

namespace flakestat::stats {

/// What scoring has prepared; all of it outlives the models.
struct Prepared {
  const ObservationStore& store;
  const Batches& batches;
  const Timeline& timeline;
  const ScoringOptions& options;
};

/// What holds for all of a job.
struct JobPlan {
  const Job* job = nullptr;
  double break_rate = 0;
  const Likelihood* ordinary = nullptr;  ///< of this job's executions: the outage's where there is one
  const Likelihood* contended = nullptr;
  const Likelihood* undisturbed = nullptr;  ///< of tests that disagree in a burst, whatever befell the others
  bool outage = false;
};

/// For each of the store's branches: is it the default one?
[[nodiscard]] std::vector<std::uint8_t> default_branches(const Prepared& prepared);

class BayesShard {
 public:
  /// Tests of rank `begin` to `end` - 1.
  BayesShard(const Prepared& prepared, const BayesFilter& filter, const std::vector<std::uint8_t>& is_default,
             std::uint32_t begin, std::uint32_t end);

  /// Reads this shard's part of a job; `apply` then works on it.
  void read(const Job& job);
  [[nodiscard]] std::span<const Execution> executions() const { return executions_; }

  /// Adds q of the first executions read, in order; false as soon as the load can be no outage any more.
  [[nodiscard]] bool add_expected(const Job& job, double break_rate, FailureLoad& load);

  void apply(const JobPlan& plan);
  /// One of the executions read, no skip; `lane` becomes the one that it belongs to.
  BreakSample step(const JobPlan& plan, const Execution& execution, const Lane*& lane);
  /// What `apply` saw of new codes breaking, in order.
  [[nodiscard]] std::span<const BreakSample> samples() const { return samples_; }

  [[nodiscard]] const TestState& state(std::uint32_t rank) const { return states_[rank - begin_]; }
  [[nodiscard]] const Tallies& tallies() const { return tallies_; }
  [[nodiscard]] const LaneBook& lanes() const { return lanes_; }
  [[nodiscard]] std::uint32_t local(std::uint32_t rank) const { return rank - begin_; }

 private:
  [[nodiscard]] const LaneCursor& enter(const Job& job, std::uint32_t branch);
  [[nodiscard]] Visit visit(const Job& job, std::uint32_t branch) const;

  const Prepared prepared_;
  const BayesFilter& filter_;
  const std::vector<std::uint8_t>& is_default_;
  std::uint32_t begin_;
  std::uint32_t end_;
  EvidenceArena arena_;
  LaneBook lanes_;
  std::vector<TestState> states_;
  Tallies tallies_;
  std::vector<Execution> executions_;
  std::vector<BreakSample> samples_;
  const Job* entered_job_ = nullptr;
  std::uint32_t entered_branch_ = 0;
  const LaneCursor* cursor_ = nullptr;
};

}  // namespace flakestat::stats
