// What happens while `run` runs a suite, as events: the only bus between those who run tests and those who show, write
// and remember. Plain values; texts are raw (they come from tests and are hostile), renderers escape them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/identity.hpp"
#include "model/status.hpp"
#include "model/timestamp.hpp"

namespace flakestat {

/// A test as its runner collected it. Its index in RunStarted::tests is its name in every other event.
struct RunTest {
  std::string id;     ///< by the framework (`tests/test_a.py::test_x[1]`), relative to the root of the run
  std::string suite;  ///< suite, class and name as in the framework's own JUnit report
  std::string class_name;
  std::string name;
  TestId test_id{};
  std::string file;                  ///< relative to the root of the run; empty: not known
  std::optional<std::int64_t> line;  ///< 1-based
};

/// How one execution of a test ended. `failed` is the test itself, `error` its set-up or teardown, a crash, a time-out.
enum class RunStatus : std::uint8_t { passed, failed, error, skipped, xfailed, xpassed };

/// What failed executions have beyond that.
enum class RunTrouble : std::uint8_t {
  none,
  crashed,    ///< the process that ran the test died
  timed_out,  ///< ended by us
  lost,       ///< the runner ended, or reported, without a result for it
};

enum class RunPhase : std::uint8_t { none, setup, call, teardown };
inline constexpr std::size_t kRunPhases = 3;

/// The result of a part of a test, for frameworks that have such parts.
struct PhaseResult {
  RunPhase phase = RunPhase::call;
  RunStatus status = RunStatus::passed;
  double seconds = 0;
  std::string message;  ///< one line of the failure, or the reason of a skip; raw
  std::string details;  ///< the traceback, many lines; raw
};

/// Something a test wrote, under the framework's heading (`Captured stdout call`).
struct CapturedText {
  std::string title;
  std::string text;
};

/// One execution of a test within a run.
struct RunAttempt {
  int attempt = 0;  ///< 0 for the first try
  RunStatus status = RunStatus::passed;
  RunTrouble trouble = RunTrouble::none;
  RunPhase in = RunPhase::none;  ///< the part that decided the status, or in which the process died
  UnixMillis started = 0;
  double seconds = 0;
  std::string worker;               ///< `gw0`; empty: there is but one
  std::string message;              ///< of the part that decided: one line, raw
  std::string details;              ///< of the part that decided, or what is known of the crash; raw
  std::vector<PhaseResult> phases;  ///< parts that did not simply pass, in order
  std::vector<CapturedText> captured;
  std::vector<std::pair<std::string, std::string>> properties;  ///< recorded by the test

  [[nodiscard]] bool failing() const { return status == RunStatus::failed || status == RunStatus::error; }
  [[nodiscard]] bool passing() const { return status == RunStatus::passed || status == RunStatus::xpassed; }
};

/// What became of a test over all its attempts.
enum class RunFate : std::uint8_t { passed, failed, error, skipped, xfailed, xpassed, flaky, quarantined };

/// What the ledger knew of a test before this run.
struct LedgerCounts {
  std::uint64_t flaky = 0;   ///< runs in which it passed only after reruns
  std::uint64_t failed = 0;  ///< runs in which it hard-failed
  friend bool operator==(const LedgerCounts&, const LedgerCounts&) = default;
};

// ---- the events

struct RunStarted {
  std::string run_id;
  std::vector<std::string> command;
  std::vector<RunTest> tests;  ///< every test of the run, in the order of collection
  std::size_t deselected = 0;  ///< by the user's own selection
  int workers = 0;             ///< 0: the framework's single process
  bool partial = false;        ///< the run selected tests
  std::optional<std::uint64_t> shuffle_seed;
  UnixMillis started = 0;
};

struct TestStarted {
  std::size_t test = 0;
  int attempt = 0;
  int worker = 0;
};

/// Every execution has one, also those that ended with a crash.
struct AttemptFinished {
  std::size_t test = 0;
  RunAttempt attempt;
  bool rerun_follows = false;
};

/// Each test that was begun or named in a result is settled once, after its last attempt.
struct TestSettled {
  std::size_t test = 0;
  RunFate fate = RunFate::passed;
  std::vector<RunAttempt> attempts;  ///< all, in order
  LedgerCounts before;               ///< of the ledger when the run began
  std::string excuse;                ///< quarantined: the entry's pattern, with reason and owner where it has them
  std::string note;                  ///< why a failure was not rerun or not excused, in words; mostly empty
};

struct WorkerLost {
  int worker = 0;
  std::string how;                  ///< `signal 11 (SIGSEGV)`, `exit code 3`
  std::optional<std::size_t> test;  ///< that it was running
  std::string output;               ///< what it wrote last; raw
  bool replaced = false;
};

/// A file or folder that could not be collected: no test, but a reason to fail.
struct CollectionProblem {
  std::string id;
  std::string details;
};

/// A whole file that was skipped while it was collected.
struct CollectionSkip {
  std::string id;
  std::string reason;
};

/// A warning that the framework recorded.
struct RunWarning {
  std::string id;        ///< the test or file during which it was raised; may be empty
  std::string location;  ///< `path:line`
  std::string message;
};

/// What the framework's own plugins have to say at the end (a table of coverage, say); raw, many lines.
struct RunnerText {
  std::string text;
};

/// Something to tell the user while the run goes on; clean text, without a full stop.
struct RunNote {
  std::string text;
};

/// How the whole ended (design, section 7, exit codes).
enum class RunEnd : std::uint8_t { ok, tests_failed, nothing_ran, runner_failed, interrupted };

/// Settled tests by fate; `errors` counts what could not be collected, too; `crashes` and `reruns` count attempts.
struct RunTotals {
  std::uint64_t passed = 0, failed = 0, errors = 0, skipped = 0, xfailed = 0, xpassed = 0, flaky = 0, quarantined = 0;
  std::uint64_t deselected = 0;
  std::uint64_t not_run = 0;  ///< collected and chosen, but never begun
  std::uint64_t reruns = 0, crashes = 0, warnings = 0;
  friend bool operator==(const RunTotals&, const RunTotals&) = default;
};

struct RunFinished {
  RunTotals totals;
  RunEnd end = RunEnd::ok;
  int exit_code = 0;
  double seconds = 0;
  std::vector<std::string>
      reasons;  ///< why it is not green, beyond failures that are listed; and what else must be said last
};

using RunEvent = std::variant<RunStarted, TestStarted, AttemptFinished, TestSettled, WorkerLost, CollectionProblem,
                              CollectionSkip, RunWarning, RunnerText, RunNote, RunFinished>;

/// Takes events in the order in which they happened, from one thread. All sinks have equal rank: none may stop the run.
class RunSink {
 public:
  virtual ~RunSink() = default;
  virtual void take(const RunEvent& event) = 0;
};

/// `failed`, `flaky`, ... as summaries and machine output spell it.
[[nodiscard]] const char* word(RunFate fate);
[[nodiscard]] const char* word(RunPhase phase);

/// What the log and reports call it: an expected failure is a skip, an unexpected pass a pass.
[[nodiscard]] Status status_of(RunStatus status);

}  // namespace flakestat
