// Ctrl-C and its relatives as a level that others read, and news of ended children as a descriptor to poll.
#pragma once

#include <array>
#include <csignal>

#include "base/result.hpp"
#include "sys/fd.hpp"

namespace flakestat::sys {

/// How urgently the user wants us to end.
enum class Interrupt : unsigned char {
  none,
  finish,  ///< first Ctrl-C, SIGTERM, SIGHUP: end the current child (TERM, grace, KILL), keep what there is
  now,     ///< second Ctrl-C, SIGQUIT: no grace
};

/// Where interrupts come from: Signals, or a fake in tests. Safe to ask from any thread.
class InterruptSource {
 public:
  virtual ~InterruptSource() = default;
  [[nodiscard]] virtual Interrupt level() const = 0;
  /// Becomes readable when something happened (an interrupt, a child's end); -1 when there is none.
  [[nodiscard]] virtual int wake_fd() const = 0;
  /// Empties wake_fd. Call before looking at what happened, so that nothing that comes later is missed.
  virtual void acknowledge() = 0;
  /// The first interrupt came from a process, not from the terminal, whose Ctrl-C everybody in front of it gets.
  [[nodiscard]] virtual bool sent_by_process() const { return false; }
};

/// Installs handlers for SIGINT, SIGTERM, SIGQUIT, SIGHUP (unless it was ignored: nohup) and SIGCHLD, and puts the
/// earlier ones back when it goes. SIGINT is taken over even when it was ignored: a script's `flakestat ... &` is to be
/// stopped by `kill -INT` without losing what it has found. Handlers and a pipe, not signalfd: other threads may leave
/// these signals unblocked. One object at a time in a process (handlers need a place that is not an argument).
class Signals final : public InterruptSource {
 public:
  /// Errors: io when there is no pipe to be had; internal when another Signals object lives.
  [[nodiscard]] static Result<Signals> install();

  /// For a process forked from one that may hold a Signals object, instead of it: handlers as there, with a pipe and a
  /// level of its own. All signals must be blocked from before the fork until this returns (the inherited handlers
  /// write into the parent's pipe), and the inherited object must never be touched again: such a process ends by _exit.
  [[nodiscard]] static Result<Signals> renew_after_fork();

  Signals(Signals&& other) noexcept;
  Signals& operator=(Signals&&) = delete;
  ~Signals() override;

  [[nodiscard]] Interrupt level() const override;
  [[nodiscard]] int wake_fd() const override { return read_.get(); }
  void acknowledge() override;
  [[nodiscard]] bool sent_by_process() const override;
  /// The first signal that asked us to end, while this object lived; 0: none did.
  [[nodiscard]] int first_signal() const;

  static constexpr std::array<int, 5> kHandled{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};

 private:
  Signals(Fd read, Fd write) : read_(std::move(read)), write_(std::move(write)) {}
  [[nodiscard]] static Result<Signals> take_over();
  void install_handlers();

  Fd read_;
  Fd write_;
  std::array<struct sigaction, kHandled.size()> earlier_{};
  bool active_ = false;
};

/// The level after one more signal: pure. SIGINT counts up, SIGTERM and SIGHUP are a first Ctrl-C, SIGQUIT is `now`.
[[nodiscard]] constexpr Interrupt after_signal(Interrupt level, int signal) {
  if (signal == SIGQUIT) return Interrupt::now;
  if (signal == SIGINT) return level == Interrupt::none ? Interrupt::finish : Interrupt::now;
  if (signal == SIGTERM || signal == SIGHUP) return level == Interrupt::none ? Interrupt::finish : level;
  return level;
}

}  // namespace flakestat::sys
