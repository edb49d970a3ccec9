// Long-lived child processes that are watched together by one loop: the workers of a run.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "sys/child.hpp"
#include "sys/fd.hpp"

namespace flakestat::sys {

/// Makes this process the one that inherits what its children leave behind, and ends all of that when it goes. No
/// Supervisor may run a command meanwhile.
class WorkerNursery {
 public:
  WorkerNursery();
  ~WorkerNursery();
  WorkerNursery(const WorkerNursery&) = delete;
  WorkerNursery& operator=(const WorkerNursery&) = delete;

 private:
  std::vector<pid_t> strangers_;
  int earlier_subreaper_ = 0;
};

/// How a worker's process ended.
struct WorkerEnd {
  bool signalled = false;
  int code = 0;  ///< exit code, or the signal's number
};

/// One child, in a session of its own unless it shares the terminal. Killed, with what it started, when this goes.
class WorkerProcess {
 public:
  /// `spec.limits`, `sink` and `tick` are not used. Errors: missing when the program is not there, else io.
  [[nodiscard]] static Result<WorkerProcess> start(const ChildSpec& spec);
  WorkerProcess(WorkerProcess&&) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) noexcept = delete;
  ~WorkerProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }    ///< readable when it has ended; -1: not to be had
  [[nodiscard]] int output() const { return output_.get(); }  ///< stdout and stderr, non-blocking
  void close_output() { output_.reset(); }

  /// Takes its end, once it is there; the same answer ever after.
  [[nodiscard]] std::optional<WorkerEnd> reap();
  /// SIGKILL to it and to all of its process group. Does not wait.
  void kill();
  /// To it alone.
  void signal(int number) const;

 private:
  WorkerProcess() = default;
  pid_t pid_ = 0;
  bool own_session_ = true;
  Fd pidfd_;
  Fd output_;
  std::optional<WorkerEnd> end_;
};

}  // namespace flakestat::sys
