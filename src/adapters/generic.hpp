// The adapter for any command that writes a report (`run --adapter generic`, docs/run-generic.md): runs it, reads the
// report, and runs it again for the tests that failed.
//
//   run 1, all tests --> report --> failures --admit--> waiting --one process for all of them--> report --> ...
//
// What makes the result never green, whatever reruns bring: a run that was ended by a signal or the time limit; no
// report, an empty, an old or a broken one; a failing exit code without a failing case; a test that was to be run again
// and was not.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/generic_tests.hpp"
#include "adapters/generic_worth.hpp"
#include "base/result.hpp"
#include "dispatch/lifecycle.hpp"
#include "model/run_event.hpp"
#include "run/case_sets.hpp"
#include "run/hunt.hpp"
#include "run/selection.hpp"
#include "sys/child.hpp"
#include "sys/clock.hpp"
#include "sys/signals.hpp"

namespace flakestat::adapters {

struct GenericOptions {
  std::string run_id;
  std::vector<std::string> command;  ///< argv; `{run}`, `{junit}` and `{tests}` as in a hunt
  std::string junit;                 ///< report path or glob; may hold `{run}`; empty: the command is the only test
  std::optional<run::Selection> selection;           ///< how reruns ask for some tests alone (run::selection_of)
  std::string directory;                             ///< where the command runs; empty: here
  std::optional<std::chrono::milliseconds> timeout;  ///< for each process run
  std::chrono::milliseconds grace{2000};             ///< between SIGTERM and SIGKILL
  std::chrono::milliseconds leak_wait{200};
  dispatch::RerunPolicy reruns;           ///< `maxfail` is not obeyed: the command stops by its own rules
  std::optional<KnownRun> known;          ///< the last whole run of this command
  std::int32_t local_offset_minutes = 0;  ///< for reports whose stamps have no offset
};

/// The world as the run sees it. Functions may be empty, `read_report` may not (run/report_file.hpp outside tests).
struct GenericHost {
  sys::ChildRunner& runner;
  const sys::Clock& clock;
  const sys::InterruptSource& interrupts;
  run::ReadReport read_report;
  PolicyOf policy_of;
  std::function<void(std::string_view)> output;          ///< of the command, as it comes; raw
  std::function<int()> first_signal;                     ///< that interrupted us; empty: SIGINT
  std::function<void(std::chrono::milliseconds)> pause;  ///< sleeps; may come back early for an interrupt
};

class GenericRun {
 public:
  GenericRun(const GenericOptions& options, const GenericHost& host, RunSink& sink);

  /// Blocks until all is done. RunNotes come while it goes on, all other events after the last rerun: only then all
  /// tests are known. The end is returned and not yet told to the sink. Errors, before RunStarted: `missing` when the
  /// command cannot be started (`internal` for want of memory), `usage` and `io` for a report's place that cannot be
  /// used.
  [[nodiscard]] Result<RunFinished> run();

 private:
  struct Made {
    run::RunResult result;
    ReportedTests reported;
    RunWorth worth;
    UnixMillis started = 0;
    int start_error = 0;
    std::string start_problem;
    std::optional<std::size_t> set;  ///< of its cases, in a whole run
  };

  [[nodiscard]] Result<Made> make(const run::RunOrder& order);
  [[nodiscard]] Result<void> first_run();
  void rerun_failures();
  void rerun_waiting();
  [[nodiscard]] bool rerun_once(int round);
  [[nodiscard]] run::RunOrder next_order();
  void take_rerun(Made&& made, bool narrowed);
  [[nodiscard]] bool lost_tests(const Made& made) const;
  void broke(const Made& made, const std::string& which);
  [[nodiscard]] RunAttempt command_attempt(const Made& made) const;
  [[nodiscard]] bool pause_before_rerun();
  [[nodiscard]] int most_rounds() const;
  [[nodiscard]] bool interrupted() const;
  void say_rerun(const run::RunOrder& order, std::size_t tests, int round);
  void say_notes();
  void say_leaks(const run::RunResult& result);
  void say(const std::string& text);
  [[nodiscard]] RunFinished finish();
  void conclude(RunFinished& finished) const;

  const GenericOptions& options_;
  const GenericHost& host_;
  RunSink& sink_;
  run::HuntPlan plan_;
  run::HuntHost world_;
  GenericTests tests_;
  run::CaseSets sets_;  ///< of whole runs
  RunTest command_;
  UnixMillis started_ = 0;
  std::chrono::milliseconds begin_{0};
  int made_ = 0;  ///< process runs
  int first_code_ = 0;
  bool first_is_whole_ = true;
  bool interrupted_ = false;
  std::string unnamable_;           ///< why some rerun took the whole suite although tests can be selected
  std::optional<RunWorth> broken_;  ///< the first thing that makes the run never green
  std::vector<std::string> reasons_;
};

/// Sleeps, not longer than until the user interrupts: GenericHost::pause outside tests.
void pause_until_interrupted(sys::InterruptSource& interrupts, const sys::Clock& clock,
                             std::chrono::milliseconds duration);

}  // namespace flakestat::adapters
