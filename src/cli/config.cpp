#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_config(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::ConfigRequest>();
  auto* command = add_command(app, "config", "Show every setting in force and where it came from",
                              "FLAKESTAT_MIN_RUNS=8 flakestat config --model flip-rate");
  add_basics(*command, request->common, invocation, {"table", "json"});
  add_default_branch(*command, request->common);
  add_scoring(*command, request->scoring);
  command->callback([request, command, &invocation] {
    for (const auto* option : command->get_options()) {
      if (option->count() == 0) continue;
      for (const auto& name : option->get_lnames()) request->given.push_back("--" + name);
    }
    invocation.action = [request](const app::World& world) { return app::config(world, *request); };
  });
}

}  // namespace flakestat::cli
