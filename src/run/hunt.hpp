// The sequential hunt: run a command N times, collect each run's report, say what every run was worth.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "formats/junit_reader.hpp"
#include "model/case.hpp"
#include "model/timestamp.hpp"

namespace flakestat::run {

struct HuntPlan {
  std::vector<std::string> command;  ///< argv; `{run}` and `{junit}` are expanded in each argument
  int runs = 20;
  std::string junit;  ///< report path, may hold `{run}`; empty: exit codes only
  std::optional<std::chrono::milliseconds> timeout;
  bool until_fail = false;  ///< stop at the first disagreement
};

/// How one run ended.
enum class RunEnd : std::uint8_t { exited, signalled, timed_out, failed_to_start, interrupted };

/// One run of the command.
struct RunResult {
  int run = 1;  ///< from 1, as in {run} and FLAKESTAT_RUN
  RunEnd end = RunEnd::exited;
  int code = 0;  ///< exit code or signal number
  UnixMillis started = 0;
  std::int64_t wall_ms = 0;
  std::vector<Case> cases;                      ///< of this run's report
  std::optional<formats::JunitSummary> report;  ///< nothing: no fresh, whole report
  std::string report_problem;                   ///< why there is none: missing, stale, empty, damaged
  std::string output_tail;                      ///< the last lines of stdout and stderr
  std::vector<std::string> leaked;              ///< children that outlived the command and were ended
};

/// What a hunt found, before scoring.
struct HuntResult {
  std::vector<RunResult> runs;
  bool interrupted = false;           ///< Ctrl-C or SIGTERM: `runs` holds what was finished
  std::vector<std::string> warnings;  ///< unsound runs, names that change, exit-code fallback, ...
  bool exit_codes_only = false;       ///< no reports: one suite-level test
};

/// Called after every run, for progress and for storing as the hunt goes.
using OnRun = std::function<void(const RunResult&)>;

/// Runs the plan. Errors: `missing` when the command cannot be started at all, `usage` for a plan that makes no sense.
[[nodiscard]] Result<HuntResult> hunt(const HuntPlan& plan, const OnRun& on_run);

}  // namespace flakestat::run
