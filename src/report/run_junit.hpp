// A run as JUnit XML: the same suites, classes and names as the framework's own report, with what only we know.
#pragma once

#include <string>

#include "report/run_record.hpp"

namespace flakestat::report {

/// The document, in the dialect of formats/junit_writer.hpp; tests in the order of collection.
/// * Flaky: a pass with `flakyFailure`s and the property `flaky`. Failed after reruns: the first attempt is the
/// failure,
///   the others are `rerunFailure`s. Quarantined: `rerunFailure`s alone and the property `quarantined`.
/// * A crash, a time-out or a lost result is an `error` whose message begins with what it was.
/// * Output is there where an attempt failed. Tests that were never begun are skips marked `flakestat.not_run`; files
///   that could not be collected are errors, skipped files skips.
/// * Every execution has the key of its run, test, repetition (tests of one identity are counted as they were
/// collected)
///   and attempt: reading the report into the log of the run adds nothing,
///   if the log holds collection problems as attempt 0 of collection_test().
/// Properties of tests stay, but for the names that mean something to us.
[[nodiscard]] std::string run_junit(const RunRecord& record);

}  // namespace flakestat::report
