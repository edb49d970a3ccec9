// Walks a timeline job by job and hands out executions, counting what both models count.
#pragma once

#include <span>
#include <vector>

#include "stats/tally.hpp"

namespace flakestat::stats {

/// Replaces `out` by the executions of `job`, in fold order, and adds them to `tallies`.
void read_job(const ObservationStore& store, const Timeline& timeline, const Job& job, Tallies& tallies,
              std::vector<Execution>& out);

}  // namespace flakestat::stats
