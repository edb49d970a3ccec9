// A prepared history shown to a visitor, job by job.
#pragma once

#include "stats/bayes_shard.hpp"
#include "stats/job_visitor.hpp"

namespace flakestat::stats {

/// In fold order; the views that the visitor gets point into what was prepared.
void walk_jobs(const Prepared& prepared, JobVisitor& visitor);

}  // namespace flakestat::stats
