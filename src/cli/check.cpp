#include <CLI/CLI.hpp>
#include <memory>

#include "cli/gate_options.hpp"
#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_gate(CLI::App& command, app::GateFlags& flags) {
  constexpr const char* kGroup = "Gate (docs/ci-gate.md)";
  command.add_option("--baseline", flags.baseline, "The accepted flakes (default <dir>/baseline.json)")->group(kGroup);
  command
      .add_flag("--fail-on-new,!--no-fail-on-new", flags.fail_on_new,
                "Exit 1 for a flaky test that is not in the baseline (default on)")
      ->group(kGroup);
  command
      .add_flag("--fail-on-regression,!--no-fail-on-regression", flags.fail_on_regression,
                "Exit 2 for an accepted test that got worse (default on)")
      ->group(kGroup);
  command.add_option("--regression-delta", flags.regression_delta, "How far an accepted score may rise (default 0.10)")
      ->check(probability())
      ->group(kGroup);
  command
      .add_option("--new-tests", flags.new_tests,
                  "Exit 1 for a test first seen on this branch without N clean executions in a row")
      ->check(CLI::Range(1, 1000000))
      ->group(kGroup);
  command
      .add_option("--fail-on-sanitised", flags.fail_on_sanitised,
                  "Exit 1 for a test that was sanitised in each of its last N runs")
      ->check(CLI::Range(1, 1000000))
      ->group(kGroup);
  command
      .add_option("--expect", flags.expect,
                  "Exit 1 unless the newest run has all tests of the run before (all), or at least N")
      ->group(kGroup);
  command
      .add_option("--quarantine", flags.quarantine,
                  "A committed list (docs/quarantine.md): new and worse flaky tests on it are said, not fatal")
      ->group(kGroup);
}

void add_check(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::CheckRequest>();
  auto* command = add_command(app, "check", "The CI gate: fail on new or worse flaky tests, not on existing ones",
                              "flakestat check --update-baseline        once; commit .flakestat/baseline.json\n"
                              "  flakestat check 'reports/**/*.xml'       in CI: read the reports, then decide");
  command->add_option("reports", request->inputs, "Reports to read into the history first; globs, or - for stdin");
  command->add_flag("--update-baseline", request->update_baseline, "Accept the present state and write it; exit 0");
  command->add_flag("--prune", request->prune, "With --update-baseline: drop accepted tests that were not seen");
  command->add_option("--code-quality", request->code_quality, "Write GitLab's code quality report to this file too");
  add_gate(*command, request->gate);
  add_common(*command, request->common, invocation, {"table", "json", "markdown", "github", "gitlab"});
  add_provenance(*command, request->provenance);
  add_scoring(*command, request->scoring);
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::check(world, *request); };
  });
}

}  // namespace flakestat::cli
