// What is remembered of tests across runs: how often each passed only after reruns, how often it failed for good
// (design, section 7, "run").
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace flakestat {

/// Of one test: runs counted, and when it was last seen to flake or fail. Seconds since 1970; 0: not known, or never.
struct LedgerEntry {
  std::uint64_t flaky = 0;
  std::uint64_t failed = 0;
  std::int64_t last_epoch = 0;
  std::int64_t last_failed_epoch = 0;

  friend bool operator==(const LedgerEntry&, const LedgerEntry&) = default;
};

/// By the framework's id of the test (`tests/test_a.py::test_x[1]`), else its display name.
using LedgerTests = std::map<std::string, LedgerEntry, std::less<>>;

/// What each run adds, by run_id. Two copies of one run are one run, so that uniting two of these counts nothing twice.
using LedgerRuns = std::map<std::string, LedgerTests, std::less<>>;

/// What one run has to tell of one test.
struct LedgerEvent {
  enum class Kind : std::uint8_t {
    flaky,   ///< passed, but only after reruns
    failed,  ///< its last attempt failed, quarantined or not
  };
  std::string id;
  Kind kind = Kind::flaky;
  std::int64_t epoch = 0;  ///< seconds since 1970
};

/// Notes an event of a run among the run's entries. A run counts once for a test, however often the test is named.
inline void add(LedgerTests& tests, const LedgerEvent& event) {
  auto& entry = tests[event.id];
  const bool failed = event.kind == LedgerEvent::Kind::failed;
  (failed ? entry.failed : entry.flaky) = 1;
  const auto epoch = std::max<std::int64_t>(event.epoch, 0);
  entry.last_epoch = std::max(entry.last_epoch, epoch);
  if (failed) entry.last_failed_epoch = std::max(entry.last_failed_epoch, epoch);
}

}  // namespace flakestat
