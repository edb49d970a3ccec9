#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_init(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::InitRequest>();
  auto* command = add_command(app, "init", "Find the project's test frameworks and write .flakestat.json",
                              "flakestat init && flakestat hunt");
  command->add_option("--framework", request->framework, "Write this one, where several are found")
      ->check(CLI::IsMember(app::init_frameworks()));
  command->add_flag("--all", request->all, "Write a config into sub-folders with frameworks of their own, too");
  command->add_flag("--force", request->force, "Overwrite a config that is there");
  command->add_flag("--dry-run", request->dry_run, "Print what would be written, write nothing");
  command->add_flag("--gitignore", request->gitignore,
                    "Add what to ignore to .gitignore, not to .flakestat/.gitignore");
  add_common(*command, request->common, invocation, {"text", "json"});
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::init(world, *request); };
  });
}

}  // namespace flakestat::cli
