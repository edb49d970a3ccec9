#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/gate_options.hpp"
#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {
namespace {

void add_systems(CLI::App& command, app::CiReportRequest& request) {
  std::vector<CLI::Option*> systems;
  const auto add = [&](const std::string& name, const std::string& help) {
    auto* system = command.add_flag_callback(
        "--" + name, [&request, name] { request.system = name; }, help);
    system->group("CI system (default: the one this runs in)");
    for (auto* other : systems) system->excludes(other);
    systems.push_back(system);
  };
  add("github", "Markdown, annotations, and the job summary where there is one");
  add("gitlab", "Markdown for a merge request note; see --code-quality");
  add("azure", "Logging commands; the file of --output becomes the build's summary");
  add("teamcity", "Service messages");
  add("buildkite", "Markdown for 'buildkite-agent annotate'");
}

}  // namespace

void add_ci_report(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::CiReportRequest>();
  auto* command = add_command(app, "ci-report", "The gate's decision as job summary, comment and annotations",
                              "flakestat ci-report --github --output flakestat.md");
  add_systems(*command, *request);
  command->add_option("-o,--output", request->output, "Write the Markdown to this file too");
  command->add_option("--code-quality", request->code_quality, "Write GitLab's code quality report to this file too");
  command->add_option("--max-rows", request->max_rows, "At most this many rows of each kind (default 20)")
      ->check(CLI::Range(1, 10000));
  command->add_option("--branch", request->provenance.branch, "Branch to decide for (default: CI variables, then git)");
  add_place(*command, request->provenance);
  add_gate(*command, request->gate);
  add_common(*command, request->common, invocation,
             {"markdown", "github", "gitlab", "azure", "teamcity", "buildkite", "json"});
  command->get_option("--format")->description("Form of the output (default: the CI system's, else markdown)");
  add_scoring(*command, request->scoring);
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::ci_report(world, *request); };
  });
}

}  // namespace flakestat::cli
