#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_report(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::ReportRequest>();
  auto* command =
      add_command(app, "report", "Score the recorded history", "flakestat report --top 20 --since 30d --branch main");
  command->add_flag("--all", request->all, "Every test, stable ones included");
  command->add_option("--top", request->top, "At most this many rows")->check(CLI::PositiveNumber);
  add_narrowing(*command, request->narrowing);
  command->add_flag("--family", request->family, "Group parametrised tests under their family");
  add_common(*command, request->common, invocation, {"table", "json", "markdown"});
  add_scoring(*command, request->scoring);
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::report(world, *request); };
  });
}

}  // namespace flakestat::cli
