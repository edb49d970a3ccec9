// The predecessor's rule over a whole history (docs/scoring.md, section 2).
#pragma once

#include <vector>

#include "stats/bayes_shard.hpp"
#include "stats/flip_rate.hpp"

namespace flakestat::stats {

/// The order of a test's series: time, run_id, repetition, attempt, exec_key, content.
[[nodiscard]] bool is_earlier(const ObservationStore& store, std::uint32_t record, std::uint32_t other);

class FlipRateModel {
 public:
  explicit FlipRateModel(const Prepared& prepared);

  /// Reads the whole timeline.
  void fold();

  void write(std::uint32_t rank, TestScore& out) const;

  /// What the rule compares of a test, and the records behind it, both in its order.
  [[nodiscard]] std::vector<TimedOutcome> series(std::uint32_t rank) const;
  [[nodiscard]] std::vector<std::uint32_t> records(std::uint32_t rank) const;

 private:
  void collect();
  void sort_by_time();

  struct Scored {
    std::uint32_t test;
    std::uint32_t record;
    bool failed;
  };
  const Prepared prepared_;
  Tallies tallies_;
  std::vector<Scored> scored_;      ///< by test, then in time
  std::vector<std::size_t> begin_;  ///< by rank: where its executions start; one more than tests
  std::vector<std::uint32_t> platform_of_dimensions_;
};

}  // namespace flakestat::stats
