// The global order of the fold (docs/scoring.md, section 8): commit order, environment name, job start, job id; inside
// a job test_id, repetition, attempt, exec_key.
#pragma once

#include <cstdint>
#include <vector>

#include "stats/batches.hpp"
#include "stats/team.hpp"

namespace flakestat::stats {

/// All observations that share code, environment and CI job (or run_id): the unit of an outage.
struct Job {
  std::uint32_t code = 0;  ///< position in commit order
  std::uint32_t environment = 0;
  std::uint32_t generation = 0;  ///< same-code windows of the code in this environment before this one
  std::uint32_t lead_run = 0;    ///< smallest run_id, as a number of the store
  bool has_commit = false;
  UnixMillis start = 0;     ///< smallest known time; 0: none is known
  std::uint32_t begin = 0;  ///< range in Timeline::records
  std::uint32_t end = 0;
};

struct Timeline {
  std::vector<Job> jobs;                    ///< in fold order
  std::vector<std::uint32_t> records;       ///< kept records, in fold order
  std::vector<std::uint32_t> rank_of_test;  ///< by the store's number: position among the test ids
  std::vector<std::uint32_t> test_of_rank;
  std::uint32_t codes = 0;
};

[[nodiscard]] Timeline order_records(const ObservationStore& store, const Batches& batches,
                                     const ScoringOptions& options, Team& team);

}  // namespace flakestat::stats
