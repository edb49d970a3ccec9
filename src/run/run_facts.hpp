// How one run of a command ended, what became of its report, and what it is worth as evidence.
#pragma once

#include <cstdint>
#include <string>

#include "run/hunt_order.hpp"

namespace flakestat::run {

/// How one run ended.
enum class RunEnd : std::uint8_t {
  exited,
  signalled,
  timed_out,
  failed_to_start,
  interrupted,
  lost,  ///< nothing is known of it: no run
};

/// By a signal or the time limit, not by itself.
[[nodiscard]] constexpr bool was_ended(RunEnd end) { return end == RunEnd::signalled || end == RunEnd::timed_out; }

/// By itself or by us, so that what it left tells something.
[[nodiscard]] constexpr bool has_ended(RunEnd end) {
  return end == RunEnd::exited || end == RunEnd::signalled || end == RunEnd::timed_out;
}

/// What became of a run's report.
enum class ReportState : std::uint8_t {
  not_asked,   ///< no --junit
  whole,       ///< fresh and complete
  cut_off,     ///< fresh, but its end is missing or broken: the cases before that are known
  missing,     ///< nothing there
  stale,       ///< there, but written before the run
  empty,       ///< 0 bytes
  unreadable,  ///< no JUnit report, or not to be read
};

/// What a run counts for.
enum class RunWorth : std::uint8_t {
  waiting,    ///< not yet known
  sound,      ///< its cases count
  tolerated,  ///< odd, but every run is odd in that way: its cases count, and a warning says so
  partial,    ///< ended before it was over: its cases count as far as the report got, and the suite-level test failed
  unsound,    ///< nothing of it is believed: a failure of the suite-level test
};

[[nodiscard]] constexpr bool counts(RunWorth worth) {
  return worth == RunWorth::sound || worth == RunWorth::tolerated || worth == RunWorth::partial;
}

struct RunFacts {
  int run = 1;
  RunEnd end = RunEnd::exited;
  int code = 0;  ///< exit code or signal number
  ReportState report = ReportState::not_asked;
  std::string report_problem;
  RunMode mode = RunMode::alone;
  bool narrowed = false;  ///< only some tests were asked for: never compared with whole runs

  [[nodiscard]] bool exited_zero() const { return end == RunEnd::exited && code == 0; }
  /// Ended by itself with a whole report: comparable with the others of its kind.
  [[nodiscard]] bool comparable() const {
    return report == ReportState::whole && (end == RunEnd::exited || end == RunEnd::signalled);
  }
};

/// `no report`, `an empty report`, ...; empty when there is nothing to say.
[[nodiscard]] const char* describe(ReportState state);

/// `exit code 3`, `killed by signal 11 (SIGSEGV)`, `timed out`, ...
[[nodiscard]] std::string describe_end(RunEnd end, int code);

}  // namespace flakestat::run
