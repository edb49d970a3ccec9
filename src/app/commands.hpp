// The use cases of this version, one file each. They write the document to `world.out` and speak through `world.note`.
#pragma once

#include "app/requests.hpp"
#include "app/world.hpp"
#include "base/result.hpp"

namespace flakestat::app {

/// Prints what the reader sees in each report, without storing it.
[[nodiscard]] Result<Ending> inspect(const World& world, const InspectRequest& request);

/// Reads reports into the log.
[[nodiscard]] Result<Ending> ingest(const World& world, const IngestRequest& request);

/// Scores the recorded history.
[[nodiscard]] Result<Ending> report(const World& world, const ReportRequest& request);

/// Shows the evidence for one test.
[[nodiscard]] Result<Ending> explain(const World& world, const ExplainRequest& request);

/// Runs the command N times, records every execution, reports disagreement.
[[nodiscard]] Result<Ending> hunt(const World& world, const HuntRequest& request);

}  // namespace flakestat::app
