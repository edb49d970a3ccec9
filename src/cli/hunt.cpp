#include <CLI/CLI.hpp>
#include <memory>
#include <set>
#include <string>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {
namespace {

// A replay measures nothing: a flag that says how to measure was meant for something else.
void refuse_beside_replay(const CLI::App& command) {
  static const std::set<std::string> kAllowed = {"help",  "command", "replay",   "dir",           "timeout",
                                                 "quiet", "verbose", "no-color", "default-branch"};
  for (const auto* option : command.get_options()) {
    const auto names = option->get_lnames();
    const bool allowed = names.empty() || kAllowed.contains(names.front());
    if (!allowed && option->count() > 0) throw CLI::ExcludesError("--replay", option->get_name());
  }
}

}  // namespace

void add_hunt(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::HuntRequest>();
  auto* command =
      add_command(app, "hunt", "Run a test command N times on unchanged code and report disagreement",
                  "flakestat hunt --runs 20 --junit 'reports/junit-{run}.xml' -- pytest -q '--junitxml={junit}'");
  command->add_option("command", request->command, "The test command, after --; {run} and {junit} are filled in");
  command->add_option("-n,--runs", request->runs, "How many runs (default 20)")->check(CLI::Range(1, 1000000));
  command->add_option("--junit", request->junit, "Where each run's report lands; may hold {run}");
  command->add_option("--timeout", request->timeout, "End a run after this long, e.g. 90s or 5m");
  command->add_option("-j,--parallel", request->parallel, "Copies at the same time, from run 2 on (default 1)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--isolate", request->isolation,
                      "What parallel copies get of their own: fs,tmp,pid,net in part, or none (default fs,tmp,pid)");
  command
      ->add_option("--verify", request->verify,
                   "Runs alone, at most, to see whether what happened beside other copies happens again (default 5)")
      ->check(CLI::Range(0, 1000));
  command->add_option("--keep", request->keep, "Copy this file or folder of every parallel copy back to the tree")
      ->allow_extra_args(false);
  command->add_flag("--until-fail", request->until_fail, "Stop at the first disagreement");
  command->add_flag("--settle", request->settle, "Ask no more about tests that disagreed; end when all are settled");
  command->add_option("--rule-out", request->rule_out, "As many runs as rule this failure rate out at 95 %, e.g. 0.05");
  command->add_option("--max-time", request->max_time, "Begin no run that would end after this long, e.g. 10m");
  command->add_option("--select", request->select, "Command for some tests only, e.g. 'mvn test -Dtest={tests}'");
  command->add_option("--id", request->id,
                      "How {tests} spells a test: pytest, gtest, go, jest, ... or '{class}#{name}'");
  command->add_option("--join", request->join, "What stands between tests in one argument (default: as --id wants it)");
  command->add_option("--output-limit", request->output_limit,
                      "How much of a run's output is kept, head and tail, e.g. 64K or 10MB (default 320K)");
  command->add_option("--record-env", request->record_env, "Record this variable's value for replays; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--replay", request->replay, "Make one run of a hunt again: RUN, or RUN_ID:RUN");
  command->add_flag("--history", request->history, "Score the recorded history too, not this burst alone");
  command->add_flag("--fail-on-flaky", request->fail_on_flaky, "Exit 1 when a test is flaky");
  command->add_flag("--all", request->all, "Every test in the table, stable ones included");
  command->add_option("--top", request->top, "At most this many rows")->check(CLI::PositiveNumber);
  add_common(*command, request->common, invocation, {"table", "json", "ndjson"});
  add_provenance(*command, request->provenance);
  add_scoring(*command, request->scoring);
  command->callback([request, command, &invocation] {
    if (request->replay) refuse_beside_replay(*command);
    invocation.action = [request](const app::World& world) { return app::hunt(world, *request); };
  });
}

}  // namespace flakestat::cli
