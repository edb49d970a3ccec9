// Who runs what, over workers that come and go: one event in, orders out. Pure: no process, no clock; it is driven by
// the pool of an adapter, and by tables in tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "dispatch/lifecycle.hpp"
#include "dispatch/schedule.hpp"
#include "model/run_event.hpp"

namespace flakestat::dispatch {

// ---- orders

/// Put a test behind what the worker has.
struct Feed {
  int worker = 0;
  std::size_t test = 0;
  int attempt = 0;
};
/// Nothing follows for now: the worker's last test has no next one.
struct EndOfFeed {
  int worker = 0;
};
/// The answer to an attempt for which the worker waits (awaits_answer).
struct Answer {
  int worker = 0;
  bool rerun = false;
  double delay_seconds = 0;
  RunFate fate = RunFate::failed;
  std::string stop;  ///< not empty: end after this test, for this reason
};
/// Take out of the worker's feed what it has not begun, and tell taken_back.
struct TakeBack {
  int worker = 0;
};
/// Let the worker end, after what it has.
struct Quit {
  int worker = 0;
};
/// Start a worker with this number.
struct StartWorker {
  int worker = 0;
};

using Order = std::variant<Feed, EndOfFeed, Answer, TakeBack, Quit, StartWorker>;

/// What its page says it was running.
struct InFlight {
  std::size_t test = 0;
  int attempt = 0;
  RunPhase phase = RunPhase::none;
  UnixMillis started = 0;
  double seconds = 0;
};

/// How a worker came to its end.
struct Loss {
  std::string how;     ///< `signal 11 (SIGSEGV)`
  std::string output;  ///< its last words; raw
  RunTrouble trouble = RunTrouble::crashed;
  bool wanted = false;  ///< we asked for it: nothing to tell
  std::optional<InFlight> in_flight;
};

/// The attempt that a loss with a test in flight ended; an empty `worker`: there is but one process.
[[nodiscard]] RunAttempt crashed_attempt(const Loss& loss, const std::string& worker);

struct DispatchOptions {
  int workers = 1;
  std::size_t most_ahead = 32;  ///< tests in a worker's feed beyond the one that runs
  int most_replacements = 4;
};

/// Whether whoever ran this waits to be told what comes next: after failures, and after every rerun, since also a skip
/// or (measuring) a pass may be followed by another.
[[nodiscard]] bool awaits_answer(const RunAttempt& attempt);

/// `gw0`, as pytest-xdist names its workers.
[[nodiscard]] std::string worker_name(int worker);

/// One run. Emits the events of tests and workers into `sink`. Not thread-safe.
class Dispatcher {
 public:
  /// `order`: the tests of `schedule`, by their index in the run. Indexes of the run are what all other calls speak of.
  Dispatcher(DispatchOptions options, std::vector<std::size_t> order, Lifecycle& lifecycle, Schedule schedule,
             RunSink& sink);

  /// To be carried out one after the other, those of a later call after those of an earlier one.
  using Orders = std::vector<Order>;

  /// The worker has collected and waits for tests.
  [[nodiscard]] Orders ready(int worker);
  /// The same of all that the run begins with.
  [[nodiscard]] Orders all_ready();
  [[nodiscard]] Orders attempt_done(int worker, std::size_t test, RunAttempt attempt);
  /// Its process is gone (or was never to be had), and everything that it had sent was told.
  [[nodiscard]] Orders lost(int worker, Loss loss);
  /// Its process has ended as it was told to.
  void left(int worker) { workers_[static_cast<std::size_t>(worker)].phase = WorkerPhase::gone; }
  /// Tests that were in its feed; an end of the feed among them is void.
  [[nodiscard]] Orders taken_back(int worker, const std::vector<std::size_t>& tests);
  /// No new test from now on; what runs is finished.
  [[nodiscard]] Orders stop(std::string reason);

  /// Every worker was told to quit, or is lost: nothing more will be ordered.
  [[nodiscard]] bool over() const;
  [[nodiscard]] bool stopping() const { return stopping_; }
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }
  /// Too many workers died: what was not begun will not run.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  /// The schedule's slot of a worker: a replacement has that of the one that died.
  [[nodiscard]] int lane_of(int worker) const;
  /// Tests that the worker is to have, the running one first.
  [[nodiscard]] std::vector<std::size_t> queue_of(int worker) const;

 private:
  struct Fed {
    std::size_t test = 0;
    int attempt = 0;
  };
  enum class WorkerPhase : std::uint8_t { starting, working, quitting, gone };
  struct WorkerSlot {
    WorkerPhase phase = WorkerPhase::starting;
    int lane = 0;  ///< the schedule's slot: a replacement has that of the one that died
    std::deque<Fed> fed;
    bool end_sent = false;     ///< and nothing was fed since
    bool taking_back = false;  ///< an answer is awaited
    bool barren = false;       ///< nothing was left to take back the last time
  };

  [[nodiscard]] std::size_t ahead() const;
  [[nodiscard]] bool wants(int worker) const;
  void feed(int worker, Orders& orders);
  bool feed_one(int worker, Orders& orders);
  void feed_all(Orders& orders);
  void feed_others_first(int worker, Orders& orders);
  void steal(int thief, Orders& orders);
  void hand_back(int worker, const std::vector<Fed>& tests);
  void retry(int worker, const Fed& fed);
  bool record(std::size_t test, RunAttempt attempt, Decision& decision);
  void charge(int worker, const Loss& loss);
  bool replace(int worker, Orders& orders);
  void finish(int worker, std::size_t test);
  [[nodiscard]] bool may_steal(int worker, std::size_t test) const;
  void begin_stop(std::string reason, Orders& orders);
  void quit_idle(Orders& orders);
  void conclude_if_done(Orders& orders);
  void give_up_retries();
  [[nodiscard]] bool all_done() const;
  [[nodiscard]] std::size_t live() const;

  DispatchOptions options_;
  std::vector<std::size_t> order_;                       ///< by place in the schedule
  std::unordered_map<std::size_t, std::size_t> places_;  ///< the other way round
  Lifecycle& lifecycle_;
  Schedule schedule_;
  RunSink& sink_;
  std::vector<WorkerSlot> workers_;
  std::deque<Fed> retries_;  ///< of tests whose worker died
  double seconds_ = 0;       ///< of the attempts so far
  std::uint64_t seen_ = 0;
  bool crash_reached_limit_ = false;
  int replacements_ = 0;
  bool stopping_ = false;
  bool gave_up_ = false;
  std::string stop_reason_;
};

}  // namespace flakestat::dispatch
