// Which worker runs which test: hands a suite out, test by test, so that workers end together. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "dispatch/work_plan.hpp"

namespace flakestat::dispatch {

/// Every test is handed out, in the end to exactly one worker. Workers are slots: a process that takes the place of one
/// that died has its number. Not thread-safe.
///
/// Bound tests (work_plan.hpp) stay in one slot, also when some of them were given back: what has begun in a slot goes
/// on there. Serial tests come last, in the order given, on the lowest slot that is not retired, while no other slot
/// runs anything.
class Schedule {
 public:
  /// `tests` in running order, copied where needed. With Dist::each the list holds the suite `workers` times over, and
  /// slot k runs its k-th part.
  Schedule(const std::vector<ScheduledTest>& tests, Dist dist, int workers, Start start = Start::slow_first);

  struct Next {
    enum class Kind : std::uint8_t {
      run,    ///< `test` is handed out
      later,  ///< not now: ask again after others have finished, gave back or died
      never,  ///< all that this slot may have is finished
    };
    Kind kind = Kind::never;
    std::size_t test = 0;
  };

  /// The next test for the worker's queue. Tests of one slot are to be run in the order in which they were handed out.
  /// Also divides what another slot was promised but not yet handed, so that a queue which is fed a few tests at a time
  /// needs no stealing. A slot that holds more than its share of all that is left is told `later`, so that nothing
  /// waits behind a test that ends last; a slot with nothing to do never is for that reason.
  [[nodiscard]] Next next(int worker);

  /// A test that was handed out was run, all attempts of it; or is lost for good. Twice is once.
  void finished(int worker, std::size_t test);

  /// Handed out but not begun: stolen back, or the process died. They come before all that was not handed out yet;
  /// bound tests whose unit has begun go to the same slot again. What `worker` does not have is ignored.
  void give_back(int worker, const std::vector<std::size_t>& tests);

  /// Whether taking a test back from a slot could help another. Never for serial tests, or for bound ones that begin a
  /// slot's queue.
  [[nodiscard]] bool may_steal(int victim, std::size_t test) const;

  /// No process will take this slot's place. What it had goes to others; the result are tests that now nobody may run
  /// (Dist::each), which count as finished.
  [[nodiscard]] std::vector<std::size_t> retire(int worker);

  [[nodiscard]] bool done() const { return unfinished_ == 0; }
  [[nodiscard]] std::size_t unfinished() const { return unfinished_; }

  /// What a test is expected to take: seconds if any test's were known, else 1.
  [[nodiscard]] double expected_cost(std::size_t test) const { return costs_.of[test]; }

 private:
  static constexpr int kNobody = -1;
  static constexpr std::uint32_t kNoUnit = UINT32_MAX;

  enum class State : std::uint8_t { waiting, out, finished };
  struct Test {
    State state = State::waiting;
    bool serial = false;
    int holder = kNobody;          ///< while out
    std::uint32_t unit = kNoUnit;  ///< with Dist::each the number of the slot
    std::uint32_t place = 0;       ///< in its unit, or among the serial tests
  };
  struct Unit {
    bool divisible = true;
    std::size_t begun = 0;  ///< its tests that are out or finished
    std::size_t ended = 0;  ///< its tests that are finished
  };
  // Tests that wait, in order; `first` is the next. Some may have finished meanwhile: they are passed over.
  struct Piece {
    std::uint32_t unit = kNoUnit;
    std::vector<std::size_t> tests;
    std::size_t first = 0;
    double cost = 0;  ///< of what waits
  };
  struct Slot {
    std::deque<Piece> own;
    std::deque<std::size_t> out;  ///< in order of handing out; what finished is removed when it comes first
    double out_cost = 0;
    std::deque<std::size_t> serial;  ///< Dist::each: of its part, waiting
    std::size_t unfinished = 0;      ///< Dist::each: of its part
    bool retired = false;
  };

  void plan(const std::vector<ScheduledTest>& tests, Start start);
  void plan_each();
  [[nodiscard]] Slot& slot(int worker);
  [[nodiscard]] bool is_out(int worker, std::size_t test) const;
  [[nodiscard]] Piece make_piece(std::uint32_t unit, std::vector<std::size_t> tests) const;
  std::optional<std::size_t> pop(Piece& piece);
  std::optional<std::size_t> from_own(Slot& slot);
  bool refill(Slot& slot);
  bool divide_another(Slot& thief);
  [[nodiscard]] bool has_enough(const Slot& slot) const;
  [[nodiscard]] double cost_of_next(const Slot& slot) const;
  void note_gone(int worker, std::size_t test);
  Next hand_out(int worker, std::size_t test);

  [[nodiscard]] std::deque<std::size_t>& serial_of(Slot& slot) { return dist_ == Dist::each ? slot.serial : serial_; }
  [[nodiscard]] bool may_run_serial(int worker);
  std::optional<std::size_t> next_serial(int worker);

  void take_back(std::size_t test);
  void put_back(int worker, std::uint32_t unit, std::vector<std::size_t> tests);
  std::vector<std::size_t> lose_all_of(Slot& slot);

  Dist dist_;
  Costs costs_;
  std::vector<Test> tests_;
  std::vector<Unit> units_;
  std::vector<Slot> slots_;
  std::deque<Piece> returned_, planned_;
  std::deque<std::size_t> serial_;  ///< waiting, in order
  std::size_t live_slots_ = 0;      ///< not retired
  std::size_t unfinished_ = 0;
  std::size_t parallel_unfinished_ = 0;  ///< of those that are not serial
  double worth_waiting_ = 0;
  double parallel_cost_ = 0;    ///< of those
  std::size_t serial_out_ = 0;  ///< all of one slot
  int serial_slot_ = kNobody;   ///< that one
};

}  // namespace flakestat::dispatch
