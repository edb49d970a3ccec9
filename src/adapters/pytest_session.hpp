// One pytest project while it runs: its processes, what they collected, and the dispatcher that feeds them.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/pytest_controller.hpp"
#include "adapters/pytest_id.hpp"
#include "adapters/pytest_worker.hpp"
#include "dispatch/dispatcher.hpp"
#include "model/run_event.hpp"
#include "sys/clock.hpp"

namespace flakestat::adapters {

/// A project to run.
struct PytestProject {
  PytestCommand command;
  std::string directory;  ///< working directory of pytest, absolute
  std::string folder;     ///< of the project below the root of the run, in front of its ids; empty: it is the root
  int workers = 0;        ///< 0: pytest's own process and terminal
  std::string basetemp;   ///< the folder of the workers' own basetemps
  bool adopts_workers = false;  ///< with 0 workers: more when pytest's configuration asks for them
};

/// What every project of a run shares.
struct PytestShared {
  std::string run_id;
  std::vector<std::pair<std::string, std::string>> environment;
  std::uint32_t seed = 0;  ///< for plugins that shuffle
  std::optional<std::chrono::milliseconds> worker_timeout;
  bool each = false;  ///< every worker runs every test
};

/// What a project collected.
struct PytestSuite {
  std::vector<RunTest> tests;      ///< with `each` once per worker, one worker's after the other's
  std::vector<PytestMarks> marks;  ///< of each test
  PytestHello hello;
  std::string folder;  ///< of the project
  std::size_t deselected = 0;
};

/// How it ended.
struct PytestEnd {
  RunEnd end = RunEnd::ok;
  int code = 0;  ///< pytest's, or what stands for it
  std::vector<std::string> reasons;
};

/// What a session is to run, of its own suite.
struct PytestTask {
  std::vector<std::size_t> order;  ///< indexes in the suite
  std::size_t base = 0;            ///< of the suite's first test in the run
  dispatch::Dist dist = dispatch::Dist::load;
  std::vector<dispatch::ScheduledTest> scheduled;  ///< in the order of `order`
  dispatch::Start start = dispatch::Start::slow_first;
};

/// Driven by one loop; never blocks. Not thread-safe.
class PytestSession {
 public:
  PytestSession(PytestProject project, const PytestShared& shared, const sys::Clock& clock);

  /// Starts the processes. Errors: as PytestWorker::start.
  [[nodiscard]] Result<void> start();
  void add_polls(std::vector<pollfd>& polls) const;
  /// Does what can be done now.
  void step();

  enum class Stage : std::uint8_t { collecting, collected, running, ended };
  [[nodiscard]] Stage stage() const { return stage_; }
  /// Not empty: pytest's configuration asks for that many workers (`auto`, `4`); the session has ended.
  [[nodiscard]] const std::string& wants_workers() const { return wants_workers_; }
  /// From `collected` on; also when it ended before.
  [[nodiscard]] const PytestSuite& suite() const { return suite_; }
  /// That were told.
  [[nodiscard]] std::uint64_t warnings() const { return warnings_; }
  /// Not empty: the configuration needs one process with the terminal, for this reason; the session has ended.
  [[nodiscard]] const std::string& needs_one_process() const { return needs_one_process_; }
  /// Of the collection, in order; each once.
  [[nodiscard]] std::vector<RunEvent> take_collection_events() { return std::exchange(collection_events_, {}); }

  /// Runs the tests. `lifecycle` is the whole run's.
  void begin(const PytestTask& task, dispatch::Lifecycle& lifecycle, RunSink& sink);

  /// Asks it to end: `now` kills.
  void interrupt(bool now);
  /// For the process that shares the terminal, where the interrupt was not typed there: it cannot know of it.
  void pass_interrupt_on();
  /// No new test: another project reached a limit.
  void stop(const std::string& reason);
  [[nodiscard]] bool stopped() const { return dispatcher_ && dispatcher_->stopping(); }

  /// Once it has ended.
  [[nodiscard]] const PytestEnd& end() const { return end_; }
  /// Milliseconds until it wants to be stepped, whatever happens; -1: no such time.
  [[nodiscard]] int patience() const;

 private:
  struct Slot {
    explicit Slot(PytestWorker process) : worker(std::move(process)) {}
    PytestWorker worker;
    bool collected = false;
    std::size_t count = 0;
    std::string hash;
    bool asked = false;     ///< for its identities, because they differ
    bool told_end = false;  ///< Quit was said: its end is no loss
    bool gone = false;
    bool timed_out = false;
    std::optional<int> bye;
    std::optional<sys::WorkerEnd> early_end;  ///< after it had collected, before tests were given out
    std::string output;                       ///< of its bye
    std::string stop_kind;
    std::string stop_why;
  };

  [[nodiscard]] PytestStart start_of(int worker) const;
  Result<void> add_worker(int worker);
  void restart_with_controller();
  void start_controlled_workers();
  void tell_controller_of_end(std::size_t worker, const sys::WorkerEnd& end);
  void finish_controller();
  void step_worker(std::size_t worker);
  void take(std::size_t worker, PytestMessage message);
  void take_collected(std::size_t worker, const PytestCollected& collected);
  void check_all_collected();
  bool differs(Slot& slot);
  void charge_single(std::size_t test, const dispatch::Loss& loss);
  void repeat_for_each();
  void take_identities(const PytestCollected& collected);
  void name_difference(std::size_t worker, const PytestCollected& collected);
  void take_done(std::size_t worker, PytestDone done);
  void take_single_done(PytestDone done);
  void finish_worker(std::size_t worker, const sys::WorkerEnd& end);
  void finish_unbegun(std::size_t worker, const sys::WorkerEnd& end);
  bool begin_anew(std::size_t worker, const sys::WorkerEnd& end);
  void finish_single(const sys::WorkerEnd& end);
  [[nodiscard]] dispatch::Loss loss_of(std::size_t worker, const sys::WorkerEnd& end) const;
  void watch_time(std::size_t worker);
  void carry_out(const dispatch::Dispatcher::Orders& orders);
  void carry_out(const dispatch::Order& order);
  void give_back(int worker);
  void answer(const dispatch::Answer& answer);
  void fail(int code, std::string reason);
  void conclude();
  [[nodiscard]] std::size_t global(std::size_t worker, std::size_t index) const;
  [[nodiscard]] bool is_single() const { return project_.workers == 0; }
  [[nodiscard]] bool all_gone() const;

  PytestProject project_;
  const PytestShared& shared_;
  const sys::Clock& clock_;
  Stage stage_ = Stage::collecting;
  std::vector<std::unique_ptr<Slot>> slots_;
  PytestSuite suite_;
  std::size_t count_ = 0;  ///< tests that one process collected
  std::string hash_;
  bool identities_ = false;
  std::vector<RunEvent> collection_events_;
  std::string needs_one_process_;
  std::string wants_workers_;
  PytestTask task_;
  dispatch::Lifecycle* lifecycle_ = nullptr;
  RunSink* sink_ = nullptr;
  std::unique_ptr<dispatch::Dispatcher> dispatcher_;
  std::unique_ptr<PytestController> controller_;
  bool wants_controller_ = false;
  bool controlled_workers_ = false;  ///< the workers know what the controller wants them to
  std::deque<dispatch::Order> orders_;
  bool carrying_out_ = false;
  PytestEnd end_;
  bool failed_ = false;  ///< end_ is decided
  bool interrupted_ = false;
  std::uint64_t warnings_ = 0;
  int restarts_ = 0;  ///< of workers that were killed before they had collected
};

}  // namespace flakestat::adapters
