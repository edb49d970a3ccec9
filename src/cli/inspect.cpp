#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_inspect(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::InspectRequest>();
  auto* command = add_command(app, "inspect", "Print what the reader sees in a report, without storing it",
                              "flakestat inspect --format json 'target/surefire-reports/*.xml'");
  command->add_option("files", request->inputs, "Reports, globs, or - for standard input")->required();
  command->add_flag("--counts", request->counts_only, "Counts only, no cases");
  add_common(*command, request->common, invocation, {"text", "json"});
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::inspect(world, *request); };
  });
}

}  // namespace flakestat::cli
