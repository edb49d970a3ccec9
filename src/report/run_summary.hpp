// What a run says when it is over. Pure; everything is escaped for a terminal.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "report/run_record.hpp"
#include "text/style.hpp"

namespace flakestat::report {

struct RunSummaryOptions {
  text::Look look;
  /// The framework has printed its own failures, warnings and durations: only what it cannot know (flaky and
  /// quarantined tests, crashes, notes) and our last line.
  bool extras_only = false;
  bool failures = true;                  ///< false: every failure has been shown when it happened
  bool notes = false;                    ///< they have not been shown as they came
  std::optional<std::size_t> durations;  ///< so many slowest executions; 0: all
  double least_duration = 0.005;         ///< faster ones are only counted
  /// Makes text harmless for the place where it goes, before it is folded; empty: it is harmless.
  std::function<std::string(std::string_view text)> guard;
  /// What a fold is called, put around a block that may be closed: `failure`, `collection`, `crash`, `quarantined`,
  /// `warnings`. The title is escaped for a terminal. Empty: nothing is folded.
  std::function<std::string(std::string_view kind, const std::string& title, const std::string& body)> fold;
};

/// In this order, each only when there is something to say: errors and failures with tracebacks and captured output,
/// crashes with the worker's last output, quarantined failures, flaky tests, warnings (equal ones once), what plugins
/// say, slowest executions, one line for each failure, notes and reasons, the last line `1 failed, 41 passed
/// in 12.31s`.
[[nodiscard]] std::string run_summary(const RunRecord& record, const RunSummaryOptions& options);

/// The last line alone, with its end.
[[nodiscard]] std::string run_last_line(const RunFinished& finished, const text::Look& look);

}  // namespace flakestat::report
