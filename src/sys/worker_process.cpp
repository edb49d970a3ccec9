#include "sys/worker_process.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "sys/child_start.hpp"
#include "sys/child_sweep.hpp"
#include "sys/child_tree.hpp"

namespace flakestat::sys {
namespace {

constexpr int kKillWait = 3000;  // milliseconds

}  // namespace

WorkerNursery::WorkerNursery() : strangers_(list_children()) {
  ::prctl(PR_GET_CHILD_SUBREAPER, &earlier_subreaper_);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

WorkerNursery::~WorkerNursery() {
  kill_descendants(strangers_);
  ::prctl(PR_SET_CHILD_SUBREAPER, earlier_subreaper_);
}

Result<WorkerProcess> WorkerProcess::start(const ChildSpec& spec) {
  StartedChild child;
  if (auto failure = start_child(spec, child)) {
    const bool missing = failure->error_number == ENOENT;
    return Error{missing ? ErrorKind::missing : ErrorKind::io, failure->problem, failure->error_number};
  }
  WorkerProcess worker;
  worker.pid_ = child.pid;
  worker.own_session_ = !spec.shares_terminal;
  worker.pidfd_ = std::move(child.pidfd);
  worker.output_ = std::move(child.output);
  return worker;
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      own_session_(other.own_session_),
      pidfd_(std::move(other.pidfd_)),
      output_(std::move(other.output_)),
      end_(other.end_) {}

WorkerProcess::~WorkerProcess() {
  if (pid_ == 0 || reap()) return;
  kill();
  // Whoever is stuck in the kernel is not waited for without end.
  if (pidfd_.valid()) {
    pollfd polled{pidfd_.get(), POLLIN, 0};
    ::poll(&polled, 1, kKillWait);
  }
  (void)reap();
}

std::optional<WorkerEnd> WorkerProcess::reap() {
  if (end_ || pid_ == 0) return end_;
  int status = 0;
  pid_t waited = 0;
  do waited = ::waitpid(pid_, &status, WNOHANG);
  while (waited < 0 && errno == EINTR);
  if (waited == 0) return std::nullopt;
  const bool signalled = waited > 0 && WIFSIGNALED(status);
  end_ = WorkerEnd{signalled, signalled ? WTERMSIG(status) : WEXITSTATUS(status)};
  return end_;
}

void WorkerProcess::kill() {
  if (pid_ == 0) return;
  // The number stays ours until it is reaped, and its group's until the last member is gone.
  if (own_session_) ::kill(-pid_, SIGKILL);
  if (!end_) ::kill(pid_, SIGKILL);
}

void WorkerProcess::signal(int number) const {
  if (pid_ != 0 && !end_) ::kill(pid_, number);
}

}  // namespace flakestat::sys
