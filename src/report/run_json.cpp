#include "report/run_json.hpp"

#include <utility>

#include "model/status.hpp"
#include "report/run_words.hpp"
#include "report/score_json.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

constexpr int kVersion = 1;

// As the log would have it.
std::string_view status_word(RunFate fate) {
  switch (fate) {
    case RunFate::passed:
    case RunFate::xpassed:
    case RunFate::flaky: return to_string(Status::pass);
    case RunFate::failed:
    case RunFate::quarantined: return to_string(Status::fail);
    case RunFate::error: return to_string(Status::error);
    case RunFate::skipped:
    case RunFate::xfailed: return to_string(Status::skip);
  }
  return "";
}

void write_counts(JsonWriter& json, const RunTotals& totals, std::size_t problems) {
  json.begin_object();
  json.field("passed", totals.passed).field("failed", totals.failed).field("errors", totals.errors);
  json.field("skipped", totals.skipped).field("xfailed", totals.xfailed).field("xpassed", totals.xpassed);
  json.field("flaky", totals.flaky).field("quarantined", totals.quarantined);
  json.field("deselected", totals.deselected).field("not_run", totals.not_run);
  json.field("collect_errors", problems).field("reruns", totals.reruns).field("crashes", totals.crashes);
  json.field("warnings", totals.warnings).end_object();
}

void write_phases(JsonWriter& json, const RunAttempt& attempt) {
  json.begin_array();
  for (const auto& phase : attempt.phases) {
    json.begin_object().field("phase", word(phase.phase)).field("status", word_of(phase.status));
    json.field("seconds", phase.seconds);
    if (!phase.message.empty()) json.field("message", phase.message);
    if (!phase.details.empty()) json.field("details", phase.details);
    json.end_object();
  }
  json.end_array();
}

void write_captured(JsonWriter& json, const RunAttempt& attempt) {
  json.begin_array();
  for (const auto& captured : attempt.captured) {
    json.begin_object().field("title", captured.title).field("text", captured.text).end_object();
  }
  json.end_array();
}

void write_properties(JsonWriter& json, const RunAttempt& attempt) {
  json.begin_array();
  for (const auto& [name, value] : attempt.properties) {
    json.begin_object().field("name", name).field("value", value).end_object();
  }
  json.end_array();
}

void write_meta(JsonWriter& json, const RunRecord& record, const RunJsonOptions& options) {
  const auto& started = record.started;
  json.begin_object().field("runner", "flakestat").field("run_id", started.run_id);
  write_strings(json.key("command"), started.command);
  write_time(json.key("started"), started.started);
  json.field("workers", started.workers).field("seed", started.shuffle_seed);
  write_known(json.key("shard"), options.shard);
  json.field("partial", started.partial);
  // Without an end the run was cut off: nothing about it may look green.
  write_run_end(json, record.finished.value_or(RunFinished{{}, RunEnd::runner_failed, 70, 0, {"the run has no end"}}),
                record.problems.size());
  json.end_object();
}

void write_test(JsonWriter& json, const RunTest& test, const std::optional<TestSettled>& settled) {
  json.begin_object();
  write_run_test(json, test);
  if (settled) {
    write_run_fate(json, *settled);
    json.key("attempts").begin_array();
    for (const auto& attempt : settled->attempts) write_run_attempt(json, attempt);
    json.end_array();
  } else {
    json.field("fate", "not_run").key("status").null();
    json.key("attempts").begin_array().end_array();
  }
  json.end_object();
}

}  // namespace

void write_run_test(JsonWriter& json, const RunTest& test) {
  json.field("id", test.id).field("test_id", to_hex(test.test_id)).field("suite", test.suite);
  json.field("class", test.class_name).field("name", test.name);
  write_known(json.key("file"), test.file);
  json.field("line", test.line);
}

void write_run_attempt(JsonWriter& json, const RunAttempt& attempt) {
  json.begin_object().field("attempt", attempt.attempt).field("status", word_of(attempt.status));
  write_known(json.key("trouble"), code_of(attempt.trouble));
  write_known(json.key("phase"), word(attempt.in));
  write_time(json.key("started"), attempt.started);
  json.field("seconds", attempt.seconds);
  write_known(json.key("worker"), attempt.worker);
  if (!attempt.message.empty()) json.field("message", attempt.message);
  if (!attempt.details.empty()) json.field("details", attempt.details);
  if (!attempt.phases.empty()) write_phases(json.key("phases"), attempt);
  if (!attempt.captured.empty()) write_captured(json.key("captured"), attempt);
  if (!attempt.properties.empty()) write_properties(json.key("user_properties"), attempt);
  json.end_object();
}

void write_run_fate(JsonWriter& json, const TestSettled& settled) {
  json.field("fate", word(settled.fate)).field("status", status_word(settled.fate));
  if (settled.fate == RunFate::flaky) json.field("flaky", true);
  if (settled.fate == RunFate::quarantined) json.field("quarantined", true);
  if (!settled.excuse.empty()) json.field("excuse", settled.excuse);
  if (!settled.note.empty()) json.field("note", settled.note);
  if (settled.before == LedgerCounts{}) return;
  json.key("ledger").begin_object().field("flaky", settled.before.flaky).field("failed", settled.before.failed);
  json.end_object();
}

void write_run_end(JsonWriter& json, const RunFinished& finished, std::size_t problems) {
  json.field("exit_code", finished.exit_code).field("end", word_of(finished.end));
  write_strings(json.key("reasons"), finished.reasons);
  json.field("duration_seconds", finished.seconds);
  write_counts(json.key("counts"), finished.totals, problems);
}

void write_run_loss(JsonWriter& json, const WorkerLost& lost, const std::vector<RunTest>& tests) {
  json.field("worker", "gw" + std::to_string(lost.worker)).field("how", lost.how);
  const bool known = lost.test && *lost.test < tests.size();
  write_known(json.key("test"), known ? tests[*lost.test].id : std::string());
  json.field("output", lost.output).field("replaced", lost.replaced);
}

std::string run_json(const RunRecord& record, const RunJsonOptions& options) {
  JsonWriter json(options.json);
  json.begin_object().field("version", kVersion);
  write_meta(json.key("meta"), record, options);
  json.key("tests").begin_array();
  const auto& tests = record.started.tests;
  for (std::size_t i = 0; i < tests.size(); ++i) write_test(json, tests[i], record.settled[i]);
  json.end_array().key("collect_errors").begin_array();
  for (const auto& problem : record.problems) {
    json.begin_object().field("id", problem.id).field("details", problem.details).end_object();
  }
  json.end_array().key("collect_skips").begin_array();
  for (const auto& skip : record.skips) {
    json.begin_object().field("id", skip.id).field("reason", skip.reason).end_object();
  }
  write_strings(json.end_array().key("runner_texts"), record.texts);
  json.key("lost_workers").begin_array();
  for (const auto& lost : record.lost) {
    json.begin_object();
    write_run_loss(json, lost, tests);
    json.end_object();
  }
  return json.end_array().end_object().finish();
}

}  // namespace flakestat::report
