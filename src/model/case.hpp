// What a report reader finds: one Case per `<testcase>`, with the attempts the framework itself made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/dimensions.hpp"
#include "model/status.hpp"
#include "model/timestamp.hpp"

namespace flakestat {

/// One try of a test that the framework reported inside a case (`flakyFailure`, `rerunError`, ...).
struct Attempt {
  Status status = Status::fail;
  std::string message;  ///< one clean line, at most 1 KiB (see base/clean_text.hpp)
};

/// One result of one test in one report. Strings are valid UTF-8.
struct Case {
  std::string suite;       ///< nearest non-empty enclosing suite name, else the case's `file`, else empty
  std::string class_name;  ///< `classname`, else the `class` attribute, else the suite name
  std::string name;
  Status status = Status::pass;       ///< the final status
  std::optional<double> duration_ms;  ///< unknown is not 0
  std::string file;
  std::optional<std::int64_t> line;
  std::string message;                ///< of the element that decided the status; one clean line
  bool known_flaky = false;           ///< flakyFailure/flakyError and the case did not end in failure or error
  std::vector<Attempt> earlier;       ///< failed tries before a known-flaky pass, oldest first
  std::vector<Attempt> later;         ///< rerunFailure/rerunError beside a final failure, oldest first
  std::optional<UnixMillis> started;  ///< UTC start when the report says it (suite or case timestamp)
  bool started_is_local = false;      ///< `started` was written without an offset and read as UTC
  SharedDimensions properties;        ///< recognised properties only (`os.name`, `go.version`, ...), raw names
  std::string exec_key;               ///< `flakestat.exec_key` when the report is our own
  std::string run_id;                 ///< `flakestat.run_id` when the report is our own
  bool quarantined = false;           ///< property `quarantined`: a failure of it was excused by a list
  bool not_run = false;               ///< `flakestat.not_run` of our own report: named there, but never executed
};

/// Cases by final status; `known_flaky` counts among `passed` or `skipped`.
struct Counts {
  std::uint64_t tests = 0;
  std::uint64_t passed = 0;
  std::uint64_t failures = 0;
  std::uint64_t errors = 0;
  std::uint64_t skipped = 0;
  std::uint64_t known_flaky = 0;
  std::uint64_t quarantined = 0;  ///< excused by a list; among failures and errors

  friend bool operator==(const Counts&, const Counts&) = default;
  Counts& operator+=(const Counts& other) {
    tests += other.tests;
    passed += other.passed;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    known_flaky += other.known_flaky;
    quarantined += other.quarantined;
    return *this;
  }
};

}  // namespace flakestat
