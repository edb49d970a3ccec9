// From the records of a job to the executions that a model scores (docs/scoring.md, "Recorded marks").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/observation_store.hpp"

namespace flakestat::stats {

/// One scored outcome, or a skip. Ambiguous records of a test in a job are one execution: the worst of them.
struct Execution {
  std::uint32_t test = 0;    ///< rank
  std::uint32_t record = 0;  ///< the record that stands for it
  std::uint32_t branch = 0;  ///< the store's number
  bool skipped = false;
  bool failed = false;
  bool first = false;      ///< the test's first scored execution in the job
  bool first_try = false;  ///< no retry: a failure here was not selected by an earlier one
  bool can_prove = true;   ///< not ambiguous, not contended, not beside copies without a network of their own
  bool contended = false;
  bool partial = false;
  bool disagrees = false;   ///< passed and failed in this burst of a hunt, its first run apart: no outage explains it
  bool unrecorded = false;  ///< the failure behind a `known_flaky` pass, whose own record an old log lacks
};

/// Appends the executions of one test in one job; `records` are its records in fold order, at least one.
void read_executions(const ObservationStore& store, std::uint32_t test, std::span<const std::uint32_t> records,
                     std::vector<Execution>& out);

}  // namespace flakestat::stats
