#include "sys/capture.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>

#include "sys/fd.hpp"
#include "sys/file.hpp"
#include "sys/pidfd.hpp"

extern char** environ;

namespace flakestat::sys {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  Fd read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno_error("pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

// posix_spawn's two attribute objects, released together.
struct SpawnSetup {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  SpawnSetup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
};

// Writing to a command that has stopped reading raises SIGPIPE, which would end us: it is blocked in this thread, and
// what came of it taken away before it is unblocked.
class SigpipeBlocked {
 public:
  SigpipeBlocked() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &earlier_);
  }
  ~SigpipeBlocked() {
    const timespec at_once{};
    if (sigismember(&earlier_, SIGPIPE) == 0) ::sigtimedwait(&pipe_, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &earlier_, nullptr);
  }
  SigpipeBlocked(const SigpipeBlocked&) = delete;
  SigpipeBlocked& operator=(const SigpipeBlocked&) = delete;
  [[nodiscard]] const sigset_t& earlier() const { return earlier_; }

 private:
  sigset_t pipe_{};
  sigset_t earlier_{};
};

int decode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Feeds input and drains output until the command has ended. A grandchild that keeps the pipe open holds nobody up.
class Exchange {
 public:
  Exchange(pid_t pid, Fd in, Fd out, const CaptureOptions& options, Captured& captured)
      : pid_(pid),
        pidfd_(open_pidfd(pid)),
        in_(std::move(in)),
        out_(std::move(out)),
        options_(options),
        pending_(options.input),
        captured_(captured) {
    ::fcntl(in_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(out_.get(), F_SETFL, O_NONBLOCK);
  }

  /// The wait status, or nothing when the time was over first.
  std::optional<int> run() {
    const auto deadline = Clock::now() + options_.timeout;
    for (;;) {
      const bool ended = has_ended();
      drain();
      if (ended) return status_;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return std::nullopt;
      wait(static_cast<int>(std::min<std::chrono::milliseconds::rep>(left, pidfd_.valid() ? left : 20)));
    }
  }

 private:
  bool has_ended() { return ::waitpid(pid_, &status_, WNOHANG) == pid_; }

  void wait(int timeout) {
    if (pending_.empty()) in_.reset();
    std::array<pollfd, 3> polled{{{out_.get(), POLLIN, 0}, {in_.get(), POLLOUT, 0}, {pidfd_.get(), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), timeout) > 0 && polled[1].revents != 0) feed();
  }

  void feed() {
    const auto count = ::write(in_.get(), pending_.data(), std::min<std::size_t>(pending_.size(), 4096));
    if (count > 0) pending_.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR && errno != EAGAIN) pending_ = {};
  }

  void drain() {
    std::array<char, 65536> buffer;
    while (out_.valid()) {
      const auto count = ::read(out_.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EAGAIN) return;
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return out_.reset();
      keep({buffer.data(), static_cast<std::size_t>(count)});
    }
  }

  void keep(std::string_view bytes) {
    const auto kept = std::min(options_.output_limit - captured_.output.size(), bytes.size());
    captured_.output.append(bytes.substr(0, kept));
    captured_.truncated |= kept < bytes.size();
  }

  pid_t pid_;
  Fd pidfd_;
  Fd in_;
  Fd out_;
  const CaptureOptions& options_;
  std::string_view pending_;
  Captured& captured_;
  int status_ = 0;
};

}  // namespace

Result<Captured> capture(const std::vector<std::string>& argv, const CaptureOptions& options) {
  if (argv.empty()) return Error{ErrorKind::internal, "capture: the command is empty"};
  auto in = make_pipe();
  if (!in) return in.error();
  auto out = make_pipe();
  if (!out) return out.error();

  const SigpipeBlocked sigpipe_blocked;
  SpawnSetup setup;
  if (options.input.empty()) posix_spawn_file_actions_addopen(&setup.actions, 0, "/dev/null", O_RDONLY, 0);
  else posix_spawn_file_actions_adddup2(&setup.actions, in->read.get(), 0);
  posix_spawn_file_actions_adddup2(&setup.actions, out->write.get(), 1);
  posix_spawn_file_actions_addopen(&setup.actions, 2, "/dev/null", O_WRONLY, 0);
  if (!options.directory.empty()) posix_spawn_file_actions_addchdir_np(&setup.actions, options.directory.c_str());
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&setup.attributes, &defaults);
  posix_spawnattr_setsigmask(&setup.attributes, &sigpipe_blocked.earlier());
  posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

  std::vector<char*> arguments;
  for (const auto& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], &setup.actions, &setup.attributes, arguments.data(), environ);
  if (error != 0) return errno_error("run " + argv.front(), error);
  in->read.reset();
  out->write.reset();

  Captured captured;
  const auto status = Exchange(pid, std::move(in->write), std::move(out->read), options, captured).run();
  if (!status) {
    ::kill(-pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return Error{ErrorKind::io,
                 "run " + argv.front() + ": no end after " + std::to_string(options.timeout.count()) + " ms"};
  }
  captured.exit_code = decode(*status);
  return captured;
}

}  // namespace flakestat::sys
