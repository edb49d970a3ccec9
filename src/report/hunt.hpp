// What `hunt` found: the burst's scores and how its runs went.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/case.hpp"
#include "model/timestamp.hpp"
#include "report/hunt_settling.hpp"
#include "report/options.hpp"
#include "stats/scoring.hpp"

namespace flakestat::report {

/// How a run of the command ended; in documents with hyphens: `timed-out`.
enum class HuntEnd : std::uint8_t { exited, signalled, timed_out, failed_to_start, interrupted };

[[nodiscard]] std::string_view to_string(HuntEnd end);

struct HuntRun {
  int run = 1;  ///< from 1
  HuntEnd end = HuntEnd::exited;
  int code = 0;  ///< exit code or signal number
  UnixMillis started = 0;
  std::int64_t wall_ms = 0;
  Counts counts;                    ///< of its report; zeros without one
  std::string report_problem;       ///< why there is no fresh, whole report; empty: there is, or none was wanted
  std::vector<std::string> leaked;  ///< processes that outlived the command
};

/// Runs in which a test passed, and in which it failed.
struct PassFail {
  std::uint32_t passes = 0;
  std::uint32_t fails = 0;
};

/// A test whose disagreement was seen beside other copies and did not happen alone.
struct HuntDoubt {
  std::string suite;
  std::string class_name;
  std::string name;
  PassFail alone;
  PassFail beside;
  bool isolation_sensitive = false;  ///< every run beside others differed from every run alone
};

/// A run in which a test failed that passed in others, and the command that makes it again.
struct HuntAgain {
  int run = 1;
  std::string test;     ///< display name
  std::string command;  ///< for a shell; harmless on a terminal
};

/// What a failing run left.
struct KeptFailure {
  int run = 1;
  std::string folder;
};

struct HuntSummary {
  std::string run_id;
  std::vector<std::string> command;
  int planned_runs = 0;
  bool interrupted = false;      ///< Ctrl-C: `runs` holds what was finished
  bool stopped_early = false;    ///< --until-fail, at the first disagreement
  bool exit_codes_only = false;  ///< no reports: one suite-level test
  std::int64_t wall_ms = 0;
  std::uint64_t stored = 0;  ///< observations
  HuntGoal goal;
  std::vector<HuntRun> runs;
  int parallel = 1;       ///< runs at the same time, from run 2 on
  std::string isolation;  ///< what parallel copies had of their own: `fs,tmp,pid`, `none`; empty: not parallel
  int verifying = 0;      ///< of the runs: made beyond the plan, alone, to see what happens again
  std::vector<HuntDoubt> contended;   ///< stored as contended: no proof
  std::vector<std::string> warnings;  ///< unsound runs, names that change, ...
  std::vector<HuntAgain> again;       ///< up to three
  int failing_run = 0;                ///< the first that failed without a failing case; 0: none
  std::string failing_output;         ///< its last lines, as the command wrote them
  std::optional<KeptFailure> kept;    ///< --until-fail
};

/// Table of the burst, how runs ended, warnings, failure rates, what is settled and what not; for a hunt by exit codes
/// the last lines of the first failing output. The last line says what the runs could not have seen.
[[nodiscard]] std::string hunt_text(const HuntSummary& hunt, const stats::Scores& scores, const ReportOptions& options);

/// docs/schema/hunt.schema.json.
[[nodiscard]] std::string hunt_json(const HuntSummary& hunt, const stats::Scores& scores, const ReportOptions& options);

}  // namespace flakestat::report
