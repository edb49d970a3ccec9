// The predecessor's rule over a whole history (docs/scoring.md, section 2).
#pragma once

#include <vector>

#include "stats/bayes_shard.hpp"
#include "stats/flip_rate.hpp"

namespace flakestat::stats {

class FlipRateModel {
 public:
  explicit FlipRateModel(const Prepared& prepared);

  /// Reads the whole timeline.
  void fold();

  void write(std::uint32_t rank, TestScore& out) const;

 private:
  void collect();
  void sort_by_time();
  [[nodiscard]] std::vector<TimedOutcome> series(std::uint32_t rank) const;

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
