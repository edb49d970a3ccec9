// A whole run of one pytest project or of several: starts them, waits until all have collected, lets the plan be made,
// runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adapters/pytest_session.hpp"
#include "dispatch/lifecycle.hpp"
#include "model/run_event.hpp"
#include "sys/clock.hpp"
#include "sys/signals.hpp"

namespace flakestat::adapters {

/// What is to be done with what was collected. Indexes count over all suites, in the order of the projects.
struct PytestPlan {
  std::vector<std::size_t> order;  ///< the tests to run, in running order
  dispatch::RerunPolicy policy;
  std::vector<dispatch::TestPolicy> tests;     ///< one for each collected test
  std::vector<std::optional<double>> seconds;  ///< expected; one for each collected test
  std::vector<bool> urgent;                    ///< to be begun first; empty: none
  bool as_ordered = false;                     ///< no other order for the sake of speed
  bool partial = false;
  std::optional<std::uint64_t> shuffle_seed;
};

using PytestPlanner = std::function<Result<PytestPlan>(const std::vector<const PytestSuite*>&)>;

struct PytestRunOptions {
  std::vector<PytestProject> projects;
  PytestShared shared;
  std::vector<std::string> command;  ///< as the user gave it
  dispatch::Dist dist = dispatch::Dist::load;
  bool adopts_dist = false;  ///< pytest's own --dist counts where it is one of ours
};

/// What a run came to, for those who remember: the events have told the rest.
struct PytestOutcome {
  RunFinished finished;             ///< not yet told to the sink
  std::string needs_one_process;    ///< nothing ran: it must be started again with 0 workers, for this reason
  std::string wants_workers;        ///< nothing ran: it must be started again with that many workers
  std::vector<PytestHello> hellos;  ///< of each project
};

class PytestRun {
 public:
  PytestRun(PytestRunOptions options, const sys::Clock& clock, sys::InterruptSource& interrupts, RunSink& sink);

  /// Blocks until all is over. `tick` is called some ten times a second. Errors: an interpreter that is not there, the
  /// planner's; everything that a test command can do is no error.
  [[nodiscard]] Result<PytestOutcome> run(const PytestPlanner& planner, const std::function<void()>& tick);

 private:
  Result<void> start();
  void wait(int milliseconds);
  void look_for_interrupts();
  Result<void> begin(const PytestPlanner& planner);
  void announce(const PytestPlan& plan);
  void begin_session(std::size_t session, std::size_t base, const PytestPlan& plan);
  void spread_stop();
  void give_up_open();
  [[nodiscard]] bool all_at(PytestSession::Stage stage) const;
  [[nodiscard]] PytestOutcome outcome();
  void judge(RunFinished& finished) const;
  [[nodiscard]] bool only_listed() const;

  PytestRunOptions options_;
  const sys::Clock& clock_;
  sys::InterruptSource& interrupts_;
  RunSink& sink_;
  std::vector<std::unique_ptr<PytestSession>> sessions_;
  std::unique_ptr<dispatch::Lifecycle> lifecycle_;
  std::size_t chosen_ = 0;
  std::uint64_t uncollected_ = 0;  ///< files and folders: errors, whatever the tests of the others come to
  UnixMillis started_ = 0;
  sys::Interrupt told_ = sys::Interrupt::none;
  std::chrono::milliseconds interrupted_at_{0};
  bool passed_on_ = false;
};

}  // namespace flakestat::adapters
