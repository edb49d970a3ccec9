// A run as one JSON document (docs/schema/run.schema.json) and as it happens (docs/schema/run-events.schema.json).
#pragma once

#include <string>

#include "report/run_record.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {

struct RunJsonOptions {
  std::string shard;  ///< `2/4`; empty: the whole suite
  text::JsonStyle json = text::JsonStyle::pretty;
};

/// The document of `--report-json`: what the run was, every test with all its attempts (in the order of collection,
/// those that were never begun included), what could not be collected, lost workers. Keys in the schema's order.
[[nodiscard]] std::string run_json(const RunRecord& record, const RunJsonOptions& options);

/// The fields that name a test: id, test_id, suite, class, name, file, line.
void write_run_test(text::JsonWriter& json, const RunTest& test);
/// One execution as an object; texts only where there are any.
void write_run_attempt(text::JsonWriter& json, const RunAttempt& attempt);
/// What became of a test: fate, status, marks, excuse, note, ledger.
void write_run_fate(text::JsonWriter& json, const TestSettled& settled);
/// How it ended: exit_code, end, reasons, duration_seconds, counts. `problems`: what could not be collected.
void write_run_end(text::JsonWriter& json, const RunFinished& finished, std::size_t problems);
void write_run_loss(text::JsonWriter& json, const WorkerLost& lost, const std::vector<RunTest>& tests);

}  // namespace flakestat::report
