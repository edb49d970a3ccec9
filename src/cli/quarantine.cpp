#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_quarantine(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::QuarantineRequest>();
  auto* command = add_command(app, "quarantine", "Emit or update a skip list in the runner's own format",
                              "flakestat quarantine --format pytest --output build/quarantine.txt");
  auto* output =
      command->add_option("-o,--output", request->output, "Write the list here, and the hook that reads it beside it");
  auto* from =
      command->add_option("--from", request->from, "List the tests of this committed list, not those flaky now")
          ->expected(0, 1);
  command
      ->add_option("--dimension", request->dimensions, "key=value of where the tests will run: decides when= of --from")
      ->allow_extra_args(false)
      ->needs(from);
  command->add_flag("--include-broken", request->include_broken, "List consistently failing tests too");
  auto* broad = command->add_flag("--allow-broad", request->allow_broad, "Emit a list that skips more than was listed");
  auto* update =
      command->add_option("--update", request->update, "Add what is flaky now to this committed list")->expected(0, 1);
  command->add_option("--expires", request->expires, "How long added entries excuse: 30d (default 90d, at most a year)")
      ->needs(update);
  command
      ->add_option("--retention", request->retention,
                   "How long a listed test must pass to count as recovered (default 90d)")
      ->needs(update);
  command->add_flag("--prune", request->prune, "With --update: remove the entries of tests that have recovered")
      ->needs(update);
  auto* validate =
      command
          ->add_option("--validate", request->validate, "Check this committed list; exit 1 names what is wrong with it")
          ->expected(0, 1);
  for (auto* emitting : {output, from, broad}) emitting->excludes(update)->excludes(validate);
  update->excludes(validate);
  add_common(*command, request->common, invocation, app::quarantine_formats());
  add_scoring(*command, request->scoring);
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::quarantine(world, *request); };
  });
}

}  // namespace flakestat::cli
