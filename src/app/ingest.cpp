#include <string>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/take_reports.hpp"

namespace flakestat::app {

Result<Ending> ingest(const World& world, const IngestRequest& request) {
  auto settings = resolve_settings(world, request.common);
  if (!settings) return settings.error();
  const auto inputs = find_inputs(request.inputs);
  std::vector<std::string> paths;
  for (const auto& file : inputs.files) paths.push_back(file.path);
  auto provenance =
      find_provenance(world, request.common, request.provenance, *settings, {env::Origin::read_here, std::move(paths)});
  if (!provenance) return provenance.error();
  auto summary = take_reports(world, *settings, inputs, *provenance);
  if (!summary) return summary.error();
  // The document of `text` names the files itself.
  const bool as_json = request.common.format.value_or("text") == "json";
  if (as_json) warn_of_files(world, *summary);
  FLAKESTAT_TRY(world.out(as_json ? report::ingest_json(*summary) : report::ingest_text(*summary, look_of(world))));
  return ending_of(*summary, inputs, request.allow_damaged);
}

}  // namespace flakestat::app
