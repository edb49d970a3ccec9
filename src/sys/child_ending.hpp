// When and how a supervised command is ended: a state machine that takes facts and returns the next action. Pure.
//
//   running --command ended--> lingering --others gone--> finished
//      |                           | leak_wait over
//      | timeout, interrupt        v
//      +---------------------> terminating --all gone--> finished
//                                  | grace over, interrupt now
//                                  v
//                               killing --all gone, or kill_wait over--> finished
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sys/signals.hpp"

namespace flakestat::sys {

struct EndingLimits {
  std::optional<std::chrono::milliseconds> timeout;  ///< for the command itself
  std::chrono::milliseconds grace{2000};             ///< between SIGTERM and SIGKILL
  std::chrono::milliseconds leak_wait{200};          ///< for what outlives the command to end by itself
  std::chrono::milliseconds kill_wait{3000};         ///< for what was killed to be gone (uninterruptible sleep)
};

/// Why the command's time was over.
enum class EndingCause : std::uint8_t { by_itself, timed_out, interrupted };

enum class EndingAction : std::uint8_t {
  wait,
  terminate,  ///< SIGTERM to the whole tree
  kill,       ///< SIGKILL to everything that is left
  finish,     ///< nothing is left to do
};

struct EndingFacts {
  std::chrono::milliseconds now{0};
  bool command_ended = false;
  bool others_left = false;  ///< descendants; need not be known while the command runs
  Interrupt interrupt = Interrupt::none;
};

struct EndingStep {
  EndingAction action = EndingAction::wait;
  std::optional<std::chrono::milliseconds> until;  ///< ask again by then, even when nothing happened
};

class Ending {
 public:
  Ending(const EndingLimits& limits, std::chrono::milliseconds start) : limits_(limits), start_(start) {}

  [[nodiscard]] EndingStep step(const EndingFacts& facts);

  [[nodiscard]] EndingCause cause() const { return cause_; }
  /// True from the moment that the command had ended by itself and others were still there after leak_wait.
  [[nodiscard]] bool leaked() const { return leaked_; }
  /// True when the descendants must be known for the next step.
  [[nodiscard]] bool watches_others() const { return state_ != State::running; }

 private:
  enum class State : std::uint8_t { running, lingering, terminating, killing };

  EndingStep running(const EndingFacts& facts);
  EndingStep lingering(const EndingFacts& facts);
  EndingStep terminating(const EndingFacts& facts);
  EndingStep killing(const EndingFacts& facts);
  EndingStep end_for(EndingCause cause, const EndingFacts& facts);
  EndingStep terminate(const EndingFacts& facts);
  EndingStep kill(const EndingFacts& facts);

  EndingLimits limits_;
  std::chrono::milliseconds start_;
  std::chrono::milliseconds deadline_{0};
  State state_ = State::running;
  EndingCause cause_ = EndingCause::by_itself;
  bool leaked_ = false;
};

}  // namespace flakestat::sys
