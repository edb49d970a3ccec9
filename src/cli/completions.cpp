#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command_table.hpp"
#include "cli/invocation.hpp"
#include "cli/options.hpp"
#include "cli/version.hpp"

namespace flakestat::cli {

void add_completions(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::CompletionsRequest>();
  auto* command = add_command(app, "completions", "Print a script by which a shell completes the command line",
                              "source <(flakestat completions bash)");
  command->add_option("shell", request->shell, "The shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([request, &app, &invocation] {
    request->program = command_table(app);
    invocation.action = [request](const app::World& world) { return app::completions(world, *request); };
  });
}

void add_man(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::ManRequest>();
  auto* command = add_command(app, "man", "Print a man page, or write all of them",
                              "flakestat man --output /usr/local/share/man/man1");
  command->add_option("command", request->command, "The command that the page is about (default: flakestat itself)");
  command->add_option("--output", request->output, "Write every page into this folder");
  command->callback([request, &app, &invocation] {
    request->program = command_table(app);
    request->version = version();
    request->date = version_date();
    invocation.action = [request](const app::World& world) { return app::man(world, *request); };
  });
}

}  // namespace flakestat::cli
