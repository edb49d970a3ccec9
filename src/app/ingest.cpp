#include "app/commands.hpp"
#include "app/take_reports.hpp"

namespace flakestat::app {

Result<Ending> ingest(const World& world, const IngestRequest& request) {
  auto settings = resolve_settings(world, request.common);
  if (!settings) return settings.error();
  auto taken = take_reports(world, *settings, request.common, request.provenance, request.inputs);
  if (!taken) return taken.error();
  const auto& summary = taken->summary;
  // The document of `text` names the files itself.
  const bool as_json = request.common.format.value_or("text") == "json";
  if (as_json) warn_of_files(world, summary);
  FLAKESTAT_TRY(world.out(as_json ? report::ingest_json(summary) : report::ingest_text(summary, look_of(world))));
  return ending_of(summary, taken->inputs, request.allow_damaged);
}

}  // namespace flakestat::app
