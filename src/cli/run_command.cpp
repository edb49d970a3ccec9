#include <memory>

#include "app/commands.hpp"
#include "cli/command_table.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {
namespace {

void add_reruns(CLI::App& command, app::RunRequest& request) {
  command.add_option("--reruns", request.reruns, "Run a failed test up to this many times more (default 0)")
      ->check(CLI::Range(0, 1000));
  command.add_option("--rerun-delay", request.rerun_delay, "Wait this long before each rerun, e.g. 500ms or 2s");
  command
      .add_option("--only-rerun", request.only_rerun,
                  "Rerun only failures whose text this pattern is found in; repeatable")
      ->allow_extra_args(false);
  command
      .add_option("--rerun-except", request.rerun_except,
                  "Never rerun failures whose text this pattern is found in; repeatable")
      ->allow_extra_args(false);
  command
      .add_option("--rerun-breaker", request.rerun_breaker,
                  "Stop reruns after this many tests in a row recovered nothing; 0: never (default 10)")
      ->check(CLI::Range(0, 1000000));
  command.add_option("--max-suite-reruns", request.max_suite_reruns, "At most this many reruns in the whole run")
      ->check(CLI::Range(0, 1000000));
  command.add_flag("--reruns-only-known-flaky", request.reruns_only_known_flaky,
                   "Rerun only tests that the ledger knows as flaky, and marked ones");
  command.add_flag("--reruns-measure", request.reruns_measure, "Use a failed test's whole budget even when it passes");
  command.add_flag("--fail-on-flaky,!--no-fail-on-flaky", request.fail_on_flaky,
                   "Exit 1 when a test passed only after a rerun");
}

void add_selection(CLI::App& command, app::RunRequest& request) {
  command.add_option("--maxfail", request.maxfail, "End the run after this many unexcused failures")
      ->check(CLI::Range(0, 1000000));
  command.add_flag_callback(
      "-x,--exitfirst", [&request] { request.maxfail = 1; }, "The same as --maxfail 1");
  command.add_flag("--lf,--last-failed", request.last_failed, "Only tests that failed in the last run (pytest)");
  command.add_flag("--ff,--failed-first", request.failed_first, "Tests that failed in the last run first (pytest)");
  command.add_option("--order", request.order, "default, or fail-fast: likely failures first")
      ->check(CLI::IsMember({"default", "fail-fast"}));
  // A flag, so that the seed is never taken from what follows: not the -- before the command either.
  command.add_flag("--shuffle{any}", request.shuffle, "Random order; the seed is printed, --shuffle=SEED repeats it");
  command.add_option("--shard", request.shard, "Run part K of N, balanced by duration, e.g. 2/4");
}

void add_generic(CLI::App& command, app::RunRequest& request) {
  command.add_option("--junit", request.junit, "generic: where the command writes its report");
  command.add_option("--select", request.select,
                     "generic: command for some tests only, e.g. 'mvn test -Dtest={tests}'");
  command.add_option("--id", request.id, "generic: how {tests} spells a test, e.g. '{class}#{name}'");
  command.add_option("--join", request.join, "generic: what stands between tests in one argument (default ',')");
  command.add_option("--timeout", request.timeout, "generic: end the command after this long, e.g. 10m");
}

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::RunRequest>();
  auto* command = add_command(app, "run", "Run a suite once: rerun failures, remember flakes, tolerate the quarantine",
                              "flakestat run -n auto --reruns 2 --quarantine quarantine.txt -- pytest tests");
  command->add_option("command", request->command, "The test command, after --");
  command
      ->add_option("--adapter", request->adapter, "What knows the command: pytest or generic (default: by the command)")
      ->check(CLI::IsMember({"pytest", "generic"}));
  command->add_option("--python", request->python, "The interpreter that runs pytest");
  command->add_option("-n,--workers", request->workers, "Worker processes, or auto; 0 (default): pytest's own process");
  command->add_option("--dist", request->dist, "How tests are spread: load, loadfile, loadscope, loadgroup, each");
  command->add_option("--worker-timeout", request->worker_timeout, "End a worker whose test takes longer, e.g. 5m");
  add_reruns(*command, *request);
  command->add_option("--quarantine", request->quarantine, "A committed list of tests whose failures are not fatal");
  add_selection(*command, *request);
  command->add_option("--junitxml", request->junitxml, "Write a JUnit report with every attempt");
  command->add_option("--report-json", request->report_json, "Write everything about the run as JSON");
  command->add_option("--output", request->output, "How progress looks")->check(CLI::IsMember(app::run_outputs()));
  command->add_option("--durations", request->durations, "Show the N slowest tests")->check(CLI::Range(0, 1000000));
  add_generic(*command, *request);
  add_common(*command, request->common, invocation, {"text", "json"});
  add_provenance(*command, request->provenance);
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::run(world, *request); };
  });
}

}  // namespace flakestat::cli
