#include "app/hunt_summary.hpp"

#include "app/hunt_target.hpp"

namespace flakestat::app {
namespace {

report::HuntDoubt shown_doubt(const run::Doubt& doubt) {
  const auto& [test, alone, beside] = doubt.tally;
  return {test.suite,
          test.class_name,
          test.name,
          {alone.passes, alone.fails},
          {beside.passes, beside.fails},
          doubt.isolation_sensitive};
}

}  // namespace

report::HuntEnd shown_end(run::RunEnd end) {
  switch (end) {
    case run::RunEnd::exited: return report::HuntEnd::exited;
    case run::RunEnd::signalled: return report::HuntEnd::signalled;
    case run::RunEnd::timed_out: return report::HuntEnd::timed_out;
    case run::RunEnd::failed_to_start: return report::HuntEnd::failed_to_start;
    case run::RunEnd::lost:  // never among a result's runs
    case run::RunEnd::interrupted: return report::HuntEnd::interrupted;
  }
  return report::HuntEnd::interrupted;
}

report::HuntRun shown_run(const run::RunResult& result) {
  report::HuntRun shown;
  shown.run = result.run;
  shown.end = shown_end(result.end);
  shown.code = result.code;
  shown.started = result.started;
  shown.wall_ms = result.use.wall.count();
  shown.counts = result.counts;
  shown.report_problem = result.report_problem;
  shown.leaked = result.leaked;
  return shown;
}

report::HuntSummary summary_of(const run::HuntResult& found, const run::HuntPlan& plan, const Provenance& provenance,
                               std::uint64_t stored) {
  report::HuntSummary summary;
  summary.run_id = provenance.run_id;
  summary.command = plan.command;
  summary.planned_runs = plan.runs;
  summary.goal = goal_of(plan, found);
  summary.interrupted = found.interrupted;
  summary.stopped_early =
      plan.until_fail && found.disagreed && static_cast<int>(found.runs.size()) - found.verifying < plan.runs;
  summary.exit_codes_only = found.exit_codes_only;
  summary.stored = stored;
  summary.parallel = plan.parallel;
  if (plan.parallel > 1) summary.isolation = run::isolation_of(plan);
  summary.verifying = found.verifying;
  for (const auto& doubt : found.contended) summary.contended.push_back(shown_doubt(doubt));
  for (const auto& result : found.runs) summary.runs.push_back(shown_run(result));
  summary.failing_run = found.first_failing_run;
  summary.failing_output = found.first_failing_output;
  summary.warnings = found.warnings;
  return summary;
}

std::string name_of(const run::TestChoice& test) { return display_name(test.suite, test.class_name, test.name); }

std::vector<std::string> own_files(const run::HuntPlan& plan) {
  if (plan.junit.empty()) return {};
  std::string pattern = plan.junit;
  for (auto at = pattern.find("{run}"); at != std::string::npos; at = pattern.find("{run}"))
    pattern.replace(at, 5, "*");
  return {pattern};
}

}  // namespace flakestat::app
