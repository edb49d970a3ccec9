// Reports read into the log: the work of `ingest`, and what `check` begins with when it is given reports.
#pragma once

#include <string>
#include <vector>

#include "app/inputs.hpp"
#include "app/provenance.hpp"
#include "app/requests.hpp"
#include "app/settings.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "report/ingest.hpp"

namespace flakestat::app {

/// What arguments brought.
struct TakenReports {
  Inputs inputs;
  Provenance provenance;
  report::IngestSummary summary;
};

/// Expands the arguments; reads, digests and appends the reports as one batch. One bad file never discards the others:
/// it is in the summary. Warns of arguments that gave nothing. Errors: of provenance and the log.
[[nodiscard]] Result<TakenReports> take_reports(const World& world, const Settings& settings, const CommonFlags& common,
                                                const ProvenanceFlags& flags,
                                                const std::vector<std::string>& arguments);

/// Never green by accident: whether all that was named came in, and whole.
[[nodiscard]] Ending ending_of(const report::IngestSummary& summary, const Inputs& inputs, bool allow_damaged);

/// Names rejected and damaged files on stderr, where no document does.
void warn_of_files(const World& world, const report::IngestSummary& summary);

}  // namespace flakestat::app
