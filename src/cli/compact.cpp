#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_compact(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::CompactRequest>();
  auto* command =
      add_command(app, "compact", "Shrink the history without changing a verdict", "flakestat compact --dry-run");
  command->add_flag("--dry-run", request->dry_run, "Change nothing, say what would be done");
  command->add_flag("--salvage", request->salvage,
                    "Move what is no record to runs.rejected.ndjson instead of refusing");
  add_basics(*command, request->common, invocation, {"text", "json"});
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::compact(world, *request); };
  });
}

}  // namespace flakestat::cli
