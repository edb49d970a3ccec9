// Hands out the executions of a job and counts what both models count.
#pragma once

#include <vector>

#include "stats/tally.hpp"

namespace flakestat::stats {

/// Appends the executions of those tests of `job` whose rank is in [`begin`, `end`), in fold order, and adds them to
/// `tallies`.
void read_job(const ObservationStore& store, const Timeline& timeline, const Job& job, std::uint32_t begin,
              std::uint32_t end, Tallies& tallies, std::vector<Execution>& out);

}  // namespace flakestat::stats
