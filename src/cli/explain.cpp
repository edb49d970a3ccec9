#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_explain(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::ExplainRequest>();
  auto* command =
      add_command(app, "explain", "Show the evidence behind one test's verdict", "flakestat explain test_login");
  command->add_option("test", request->test, "A test_id, a name, a display name, or a part of one")->required();
  command->add_option("--history", request->history, "How many of the newest executions to show (default 40)")
      ->check(CLI::Range(1, 100000));
  add_narrowing(*command, request->narrowing);
  add_common(*command, request->common, invocation, {"table", "json", "markdown"});
  add_scoring(*command, request->scoring);
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::explain(world, *request); };
  });
}

}  // namespace flakestat::cli
