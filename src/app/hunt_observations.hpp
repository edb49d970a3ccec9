// From a hunt's evidence to observations of the log.
#pragma once

#include "app/provenance.hpp"
#include "formats/observations.hpp"
#include "run/hunt.hpp"

namespace flakestat::app {

/// One run's cases and its suite-level result as observations: source hunt, attempt = the run's number, keys from
/// run_id, repetition, attempt and test (design, section 3), no artifact. Several tries of a test in one run are
/// repetitions 0..
[[nodiscard]] formats::ReportObservations hunt_observations(run::RunEvidence&& evidence, const Provenance& provenance,
                                                            UnixMillis now);

}  // namespace flakestat::app
