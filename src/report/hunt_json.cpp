#include "report/hunt_json.hpp"

#include "model/identity.hpp"
#include "report/hunt.hpp"
#include "report/score_json.hpp"
#include "report/selection.hpp"
#include "report/summary.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

void write_stopped(JsonWriter& json, const HuntSummary& hunt) {
  json.key("stopped");
  if (hunt.interrupted) json.value("interrupted");
  else if (hunt.stopped_early) json.value("first-disagreement");
  else if (hunt.goal.out_of_time) json.value("max-time");
  else if (hunt.goal.settled) json.value("settled");
  else json.null();
}

void write_again(JsonWriter& json, const HuntSummary& hunt) {
  json.key("again").begin_array();
  for (const auto& each : hunt.again) {
    json.begin_object().field("run", each.run).field("test", each.test).field("command", each.command).end_object();
  }
  json.end_array().key("kept_failure");
  if (hunt.kept) json.begin_object().field("run", hunt.kept->run).field("folder", hunt.kept->folder).end_object();
  else json.null();
}

void write_tally(JsonWriter& json, const PassFail& tally) {
  json.begin_object().field("passes", tally.passes).field("fails", tally.fails).end_object();
}

void write_doubt(JsonWriter& json, const HuntDoubt& doubt) {
  json.begin_object().field("test_id", to_hex(test_id(doubt.suite, doubt.class_name, doubt.name)));
  json.field("suite", doubt.suite).field("class", doubt.class_name).field("name", doubt.name);
  write_tally(json.key("alone"), doubt.alone);
  write_tally(json.key("beside"), doubt.beside);
  json.field("isolation_sensitive", doubt.isolation_sensitive).end_object();
}

void write_parallel(JsonWriter& json, const HuntSummary& hunt) {
  json.field("parallel", hunt.parallel).key("isolation");
  if (hunt.isolation.empty()) json.null();
  else json.value(hunt.isolation);
  json.field("verifying_runs", hunt.verifying).key("contended").begin_array();
  for (const auto& doubt : hunt.contended) write_doubt(json, doubt);
  json.end_array();
}

void write_hunt(JsonWriter& json, const HuntSummary& hunt) {
  json.field("run_id", hunt.run_id);
  write_strings(json.key("command"), hunt.command);
  json.field("planned_runs", hunt.planned_runs).field("finished_runs", hunt.runs.size());
  write_stopped(json, hunt);
  write_parallel(json, hunt);
  json.field("exit_codes_only", hunt.exit_codes_only).field("wall_ms", hunt.wall_ms).field("stored", hunt.stored);
  json.key("runs").begin_array();
  for (const auto& run : hunt.runs) {
    json.begin_object();
    write_run_fields(json, run);
    json.end_object();
  }
  json.end_array();
  json.key("failing_output");
  if (hunt.failing_run == 0) json.null();
  else json.begin_object().field("run", hunt.failing_run).field("tail", hunt.failing_output).end_object();
  write_strings(json.key("warnings"), hunt.warnings);
  write_again(json, hunt);
  write_goal(json, hunt.goal);
}

}  // namespace

void write_run_fields(JsonWriter& json, const HuntRun& run) {
  json.field("run", run.run).field("end", to_string(run.end)).field("code", run.code);
  write_time(json.key("started"), run.started);
  json.field("wall_ms", run.wall_ms).field("tests", run.counts.tests).field("passed", run.counts.passed);
  json.field("failures", run.counts.failures).field("errors", run.counts.errors).field("skipped", run.counts.skipped);
  write_known(json.key("report_problem"), run.report_problem);
  write_strings(json.key("leaked"), run.leaked);
}

std::string_view to_string(HuntEnd end) {
  switch (end) {
    case HuntEnd::exited: return "exited";
    case HuntEnd::signalled: return "signalled";
    case HuntEnd::timed_out: return "timed-out";
    case HuntEnd::failed_to_start: return "failed-to-start";
    case HuntEnd::interrupted: return "interrupted";
  }
  return "exited";
}

std::string hunt_json(const HuntSummary& hunt, const stats::Scores& scores, const ReportOptions& options) {
  const auto selection = select_entries(scores.tests, options);
  JsonWriter json(options.json);
  json.begin_object();
  write_hunt(json, hunt);
  json.field("model", model_name(options.model));
  write_summary(json.key("summary"), count_verdicts(scores.tests));
  json.key("results").begin_array();
  for (const auto* test : shown_tests(selection)) write_result(json, *test, options.model);
  json.end_array();
  write_outages(json.key("outages"), scores.outages);
  json.field("left_out", selection.beyond_top + selection.below_severity);
  write_not_seen(json.key("not_seen"), measure_power(scores.tests));
  return json.end_object().finish();
}

}  // namespace flakestat::report
