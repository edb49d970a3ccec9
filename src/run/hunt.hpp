// The hunt: run a command N times, collect each run's report, say what every run was worth.
//
// Evidence and an append-only log. Whether a run may be believed is known for certain only when all runs are over (a
// run that lost cases looks whole until another shows more). So each run's cases are given out exactly once, through
// `store`, as soon as no later run is expected to change their worth:
//   - a run that exits non-zero with a failing case, or was ended with part of a report: at once;
//   - a run that exits 0: when its cases are all that were ever seen and a second run shows the same (so run 1 waits
//   for
//     run 2, later ones are given out at once);
//   - a run that exits non-zero without a failing case, or lacks cases: at the end, or never.
// What was seen beside other copies (--parallel) may be their doing. The tests of which that is not known when a run is
// given out are named with it (`in_doubt`); the result says which disagreements never happened alone (`contended`).
// A crash of flakestat loses the current run and those that were waiting; Ctrl-C loses the current run only, since the
// end is then now. The results of the suite-level test (run/suite_level.hpp) come last, one a run, when some run needed
// them; with exit codes only, at once. Should a later run show that one already given out had lost cases, that is said
// in a warning and as a failure of the suite-level test: nothing is taken back.
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
#include "model/identity.hpp"
#include "model/timestamp.hpp"
#include "run/hunt_order.hpp"
#include "run/hunt_progress.hpp"
#include "run/outcomes.hpp"
#include "run/run_facts.hpp"
#include "run/selection.hpp"
#include "run/settling.hpp"
#include "sys/child.hpp"
#include "sys/concurrent.hpp"
#include "sys/isolation.hpp"

namespace flakestat::run {

struct HuntPlan {
  std::vector<std::string> command;  ///< argv; `{run}` and `{junit}` are expanded; `{tests}`: see run/selection.hpp
  int runs = 20;
  std::string junit;  ///< report path, or a glob (`*`, `?`, `**`) for several; may hold `{run}`; empty: exit codes only
  std::optional<std::chrono::milliseconds> timeout;   ///< for each run
  bool until_fail = false;                            ///< stop at the first disagreement
  std::string directory;                              ///< where the command runs, and relative reports are; empty: here
  std::chrono::milliseconds grace{2000};              ///< between SIGTERM and SIGKILL
  std::chrono::milliseconds leak_wait{200};           ///< for what outlives the command to end by itself
  std::optional<std::uint64_t> output_limit;          ///< bytes of a run's output that are kept; nothing: 320 KiB
  bool settle = false;                                ///< ask no more about tests that are settled; end when all are
  std::optional<double> rule_out;                     ///< the failure rate that clean tests are to rule out
  std::optional<std::chrono::milliseconds> max_time;  ///< no run is begun that would end later
  std::optional<Selection> selection;                 ///< how runs of the open tests alone are made
  std::function<bool(const TestChoice&)> asks;        ///< tests that are to be settled; empty: every one
  int parallel = 1;                                   ///< runs at the same time, from run 2 on
  int verify = 5;                                     ///< runs alone after them, while some disagreement is in doubt
  std::optional<sys::IsolationPlan> isolation;  ///< what parallel copies get of their own; nothing: they share all
  std::vector<std::string> keep;                ///< paths that each isolated copy hands back to the tree
};

/// One run of the command. Text that came from the command is raw: clean it before it is printed.
struct RunResult {
  int run = 1;  ///< from 1, as in {run} and FLAKESTAT_RUN
  RunMode mode = RunMode::alone;
  RunPurpose purpose = RunPurpose::measure;
  std::vector<TestChoice> tests;  ///< only these were asked for; empty: all
  RunEnd end = RunEnd::exited;
  int code = 0;  ///< exit code or signal number
  UnixMillis started = 0;
  sys::ResourceUse use;
  ReportState report = ReportState::not_asked;
  std::string report_problem;         ///< why there is no whole fresh report
  Counts counts;                      ///< of the report, believed or not
  std::string output_tail;            ///< the last lines of stdout and stderr
  std::vector<std::string> leaked;    ///< `name (pid)` of processes that outlived the command and were ended
  std::vector<std::string> unended;   ///< those that even SIGKILL did not end
  std::vector<std::string> not_kept;  ///< paths that could not be handed back to the tree, and why
  RunWorth worth = RunWorth::waiting;
  std::string reason;  ///< why the worth is not `sound`

  /// A failing case, or a failure of the run itself, as far as is known: for progress.
  [[nodiscard]] bool failed() const;
};

/// What a run proved: to be stored as it is.
struct RunEvidence {
  int run = 1;
  RunMode mode = RunMode::alone;
  std::string isolation;         ///< beside other copies: what this one had of its own (`fs,tmp,pid`, or `none`)
  std::vector<TestId> in_doubt;  ///< sorted; tests whose result here is to be verified (`HuntResult::contended`)
  bool narrowed = false;         ///< only some tests were asked for
  UnixMillis started = 0;
  std::int64_t wall_ms = 0;
  std::vector<Case> cases;            ///< of all its reports, in the order of their paths; may be empty
  formats::JunitSummary summary;      ///< of all its reports
  bool partial = false;               ///< the run was ended before its report was whole
  std::optional<Case> suite_level;    ///< result of the suite-level test; then there are no cases
  std::vector<TestOutcome> outcomes;  ///< of the cases, or of the suite-level test
};

/// What a run left behind, while it is there: a copy's files go with it, and the next run overwrites the others.
struct RunLeavings {
  const RunResult& result;                  ///< `worth` and `reason` are not known yet
  const std::vector<std::string>& argv;     ///< as it was started
  const sys::OutputCapture& output;         ///< raw
  const std::vector<std::string>& reports;  ///< fresh ones, as they can be opened now; cut off ones too
};

/// What a hunt tells while it goes, in the thread that hunts, between runs. Functions may be empty.
struct HuntEvents {
  std::function<void(const HuntProgress&)>
      progress;                                      ///< before the first run, after each, and some four times a second
  std::function<void(const RunResult&)> run_ended;   ///< each run, in order, with its worth as known then
  std::function<Result<void>(RunEvidence&&)> store;  ///< see above; an error ends the hunt with that error
  std::function<void(const RunLeavings&)> left;      ///< each run that has_ended, before `run_ended`
  std::function<void(int run, const Outcomes&)> tallied;  ///< after each run: what the tests have shown so far
};

/// What a report held. `rejection` is set when the file is no JUnit report.
struct ReportContent {
  formats::JunitSummary summary;
  std::vector<Case> cases;
  std::optional<formats::Rejection> rejection;
};
using ReadReport = std::function<Result<ReportContent>(const std::string& path)>;

/// The world as a hunt sees it. `read_report`: run/report_file.hpp outside tests.
struct HuntHost {
  sys::ChildRunner& runner;
  const sys::Clock& clock;
  const sys::InterruptSource& interrupts;
  ReadReport read_report;
  sys::ConcurrentRunner* copies = nullptr;  ///< needed for plans with `parallel` > 1
};

/// A test whose disagreement was seen beside other copies and did not happen alone.
struct Doubt {
  TestTally tally;
  bool isolation_sensitive = false;  ///< every run beside others differed from every run alone
};

/// What is known of a test when the hunt ends.
struct SettledTest {
  TestTally tally;
  Standing standing = Standing::open;
  int more_runs = 0;  ///< with the result it has always had, to settle it
};

/// What a hunt found, before scoring.
struct HuntResult {
  std::vector<RunResult> runs;        ///< with their final worth; the interrupted one is not among them
  bool interrupted = false;           ///< Ctrl-C or SIGTERM: `runs` holds what was finished
  bool disagreed = false;             ///< some test, or the suite-level test, passed and failed
  bool exit_codes_only = false;       ///< no reports: one suite-level test
  std::vector<std::string> warnings;  ///< unsound runs, names that change, leaks, exit-code fallback, ...
  std::string first_failing_output;   ///< last lines of the first run that failed without a failing case; raw
  int first_failing_run = 0;          ///< which run that was; 0: none
  std::vector<Doubt> contended;       ///< in the order of their names; stored as contended
  std::vector<TestTally> unproved;    ///< disagreed only between runs of all tests and of some; stored as contended
  int verifying = 0;                  ///< runs made beyond the plan, alone, to see what happens again
  std::vector<SettledTest> tests;     ///< those that were asked about and passed or failed, by name
  bool settled = false;               ///< --settle: every one of them is
  bool out_of_time = false;           ///< --max-time kept further runs from being made
  int narrowed = 0;                   ///< runs that were asked for some tests only
  std::optional<Error> problem;       ///< the hunt measured nothing it can vouch for: not to be called clean
};

/// What parallel copies have of their own, as observations carry it: `fs,tmp,pid`, `none`.
[[nodiscard]] std::string isolation_of(const HuntPlan& plan);

/// Runs the plan. Errors: `missing` when the command cannot be started at all (`internal` for want of memory), `usage`
/// for a plan that makes no sense, `io` when an old report cannot be set aside, and whatever `store` returned. Blocks;
/// one hunt at a time in a process.
[[nodiscard]] Result<HuntResult> hunt(const HuntPlan& plan, const HuntHost& host, const HuntEvents& events);

}  // namespace flakestat::run
