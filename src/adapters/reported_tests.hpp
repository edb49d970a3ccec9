// What the reports of one run of a command say of each test: its attempts, in the words of the run's events. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/case.hpp"
#include "model/run_event.hpp"

namespace flakestat::adapters {

/// When a run was made: for cases whose report says nothing of the time.
struct RunTimes {
  UnixMillis started = 0;
  UnixMillis ended = 0;
  bool stamped = false;  ///< the reports carry time stamps
  std::int32_t local_offset_minutes = 0;
};

struct ReportedTest {
  RunTest test;
  std::vector<RunAttempt> attempts;  ///< never empty; more than one: the framework itself ran it again. Not numbered
  bool stand_in = false;             ///< see stand_in.hpp

  [[nodiscard]] bool failing() const { return attempts.back().failing(); }
  [[nodiscard]] bool skipped() const { return attempts.back().status == RunStatus::skipped; }
};

struct ReportedTests {
  std::vector<ReportedTest> tests;  ///< in the order of their first cases
  std::size_t several = 0;          ///< tests with cases that are no reruns of each other: the worst of them counts

  [[nodiscard]] bool any_failing() const;
};

/// Cases without name and class that did not fail are no tests. Cases of one identity are attempts when all but the
/// last failed; else (repetitions, equal names of different parameters) one attempt with the worst of their results,
/// since a pass of one does not make up for a failure of another.
[[nodiscard]] ReportedTests reported_tests(std::span<const Case> cases, const RunTimes& times);

}  // namespace flakestat::adapters
