#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {
namespace {

using Action = app::LedgerRequest::Action;

CLI::App* add_action(CLI::App& ledger, Invocation& invocation, const std::shared_ptr<app::LedgerRequest>& request,
                     Action action, const char* name, const char* what, const char* example,
                     const std::vector<std::string>& formats) {
  auto* command = add_command(ledger, name, what, example);
  add_basics(*command, request->common, invocation, formats);
  command->callback([request, action, &invocation] {
    request->action = action;
    invocation.action = [request](const app::World& world) { return app::ledger(world, *request); };
  });
  return command;
}

}  // namespace

void add_ledger(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::LedgerRequest>();
  auto* ledger = add_command(app, "ledger", "What is remembered of flaky and failed tests across runs",
                             "flakestat ledger show --top 10");
  ledger->require_subcommand(1);
  auto* show = add_action(*ledger, invocation, request, Action::show, "show", "The tests, the flakiest first",
                          "flakestat ledger show --top 10", {"table", "json"});
  show->add_option("--top", request->top, "At most so many tests")->check(CLI::PositiveNumber);
  show->add_option("--filter", request->common.filter, "Only tests whose id matches this glob");
  auto* merge = add_action(*ledger, invocation, request, Action::merge, "merge",
                           "Unite with the ledgers of shards and other jobs",
                           "flakestat ledger merge shards/*/flakes.d", {"text", "json"});
  merge->add_option("FILE", request->files,
                    "Files or folders flakes.d, or a flakes.json; none: what was copied into our own flakes.d");
  add_action(*ledger, invocation, request, Action::rebuild, "rebuild",
             "Add what the log knows of runs; a damaged ledger is moved away first", "flakestat ledger rebuild",
             {"text", "json"});
  auto* import =
      add_action(*ledger, invocation, request, Action::import, "import", "Take over the ledger of another runner",
                 "flakestat ledger import .rstest_cache/flakes.json", {"text", "json"});
  import->add_option("FILE", request->files, "A flakes.json (default .rstest_cache/flakes.json)")->expected(0, 1);
}

}  // namespace flakestat::cli
