#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_ingest(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::IngestRequest>();
  auto* command = add_command(app, "ingest", "Read reports into the history",
                              "flakestat ingest 'reports/**/*.xml' --dimension database=postgres");
  command->add_option("files", request->inputs, "Reports, globs, or - for standard input")->required();
  command->add_flag("--allow-damaged", request->allow_damaged, "A damaged report is a note, not exit code 65");
  add_common(*command, request->common, invocation, {"text", "json"});
  add_provenance(*command, request->provenance);
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::ingest(world, *request); };
  });
}

}  // namespace flakestat::cli
