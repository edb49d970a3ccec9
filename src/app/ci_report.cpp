#include "report/ci_report.hpp"

#include <filesystem>
#include <string>
#include <system_error>

#include "app/ci_files.hpp"
#include "app/commands.hpp"
#include "app/gate.hpp"
#include "app/provenance.hpp"
#include "env/ci.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kMostRows = 20;

// Whose log commands and files to use: as said, else the CI system that this runs in, else plain Markdown.
Result<std::string> dialect_of(const World& world, const CiReportRequest& request) {
  if (request.system && request.common.format) {
    return Error{ErrorKind::usage, "--" + *request.system + " and --format " + *request.common.format +
                                       " say the same thing twice: give one of them"};
  }
  if (request.system) return *request.system;
  if (request.common.format) return *request.common.format;
  const auto ci = env::read_ci(world.env);
  const auto provider = ci ? ci->dimensions.find(dim::kCiProvider) : Dimensions::const_iterator{};
  if (!ci || provider == ci->dimensions.end()) return std::string("markdown");
  for (const char* known : {"github", "gitlab", "azure", "teamcity", "buildkite"}) {
    if (provider->second == known) return std::string(known);
  }
  return std::string("markdown");
}

std::string absolute(const std::string& path) {
  std::error_code unresolvable;
  const auto full = std::filesystem::absolute(path, unresolvable).lexically_normal();
  return unresolvable ? std::string() : full.string();
}

std::string document(const World& world, const report::GateView& view, const std::string& dialect,
                     const std::string& markdown, const std::optional<std::string>& output) {
  if (dialect == "json") return report::gate_json(view);
  if (dialect == "azure") return report::azure_commands(view, output ? absolute(*output) : "");
  if (dialect == "teamcity") return report::teamcity_messages(view);
  if (dialect != "github") return markdown;
  append_step_summary(world, markdown);
  return markdown + report::gate_annotations(view);
}

}  // namespace

Result<Ending> ci_report(const World& world, const CiReportRequest& request) {
  auto dialect = dialect_of(world, request);
  if (!dialect) return dialect.error();
  auto settings = resolve_settings(world, request.common, &request.scoring);
  if (!settings) return settings.error();
  auto history = read_gate_history(world, request.common, std::move(*settings));
  if (!history) return history.error();
  auto place = place_of(world, request.provenance);
  if (!place) return place.error();
  auto gate = decide_gate(world, request.common, request.gate, *history, *place);
  if (!gate) return gate.error();
  auto view = view_of(*gate, world);
  view.max_rows = request.max_rows.value_or(kMostRows);
  const auto markdown = report::ci_markdown(view);
  if (request.output) FLAKESTAT_TRY(sys::write_file(*request.output, markdown));
  if (request.code_quality) FLAKESTAT_TRY(sys::write_file(*request.code_quality, report::gate_code_quality(view)));
  FLAKESTAT_TRY(world.out(document(world, view, *dialect, markdown, request.output)));
  return Ending::done;
}

}  // namespace flakestat::app
