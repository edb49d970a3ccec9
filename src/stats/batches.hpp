// What scoring needs to know of each group of observations under given options, looked up once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stats/observation_store.hpp"
#include "stats/scoring.hpp"

namespace flakestat::stats {

/// A dimension object read under the options.
struct DimensionFacts {
  std::uint32_t environment = 0;  ///< index into Batches::environments, which is in order of name
  std::uint32_t ci_job = 0;       ///< number of (ci.run_id, ci.job_id, ci.attempt, ci.shard)
  bool has_ci_run = false;
  std::optional<std::uint64_t> run_number;
};

/// A group's kept observations.
struct Batch {
  std::uint32_t observations = 0;
  UnixMillis first = 0;  ///< smallest known time; 0: none is known
};

/// Kinds of outcome that a test has had.
inline constexpr std::uint8_t kHasRun = 1;
inline constexpr std::uint8_t kHasSkip = 2;

struct Batches {
  std::vector<std::string> environments;  ///< keys, ascending
  std::vector<std::string> ci_jobs;       ///< texts behind DimensionFacts::ci_job
  std::vector<DimensionFacts> dimensions;
  std::vector<Batch> groups;
  std::vector<std::uint8_t> test_kinds;
  std::vector<bool> dropped;  ///< by record; empty: none

  [[nodiscard]] bool keeps(std::uint32_t record) const { return dropped.empty() || !dropped[record]; }
  [[nodiscard]] const DimensionFacts& facts(const Group& group) const { return dimensions[group.dimensions]; }
};

/// `duplicates`: records to leave out.
[[nodiscard]] Batches survey(const ObservationStore& store, const ScoringOptions& options,
                             const std::vector<std::uint32_t>& duplicates);

}  // namespace flakestat::stats
