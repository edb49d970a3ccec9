#include "sys/capture.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "sys/fd.hpp"
#include "sys/file.hpp"

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

int decode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Feeds `input`, drains output until end of file or the deadline. True when the command closed its output in time.
bool exchange(Pipe& in, Pipe& out, const CaptureOptions& options, Captured& captured) {
  const auto deadline = Clock::now() + options.timeout;
  std::string_view pending = options.input;
  std::array<char, 65536> buffer;
  for (;;) {
    if (pending.empty()) in.write.reset();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> polled{{{out.read.get(), POLLIN, 0}, {in.write.get(), POLLOUT, 0}}};
    const int ready = ::poll(polled.data(), in.write.valid() ? 2 : 1, static_cast<int>(left));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    if (in.write.valid() && polled[1].revents != 0) {
      const auto count = ::write(in.write.get(), pending.data(), std::min<std::size_t>(pending.size(), 4096));
      if (count > 0) pending.remove_prefix(static_cast<std::size_t>(count));
      if (count < 0 && errno != EINTR) pending = {};
    }
    if (polled[0].revents != 0) {
      const auto count = ::read(out.read.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return true;
      const auto room = options.output_limit - captured.output.size();
      const auto kept = std::min(room, static_cast<std::size_t>(count));
      captured.output.append(buffer.data(), kept);
      captured.truncated |= kept < static_cast<std::size_t>(count);
    }
  }
}

}  // namespace

Result<Captured> capture(const std::vector<std::string>& argv, const CaptureOptions& options) {
  auto in = make_pipe();
  if (!in) return in.error();
  auto out = make_pipe();
  if (!out) return out.error();

  SpawnSetup setup;
  posix_spawn_file_actions_adddup2(&setup.actions, in->read.get(), 0);
  posix_spawn_file_actions_adddup2(&setup.actions, out->write.get(), 1);
  posix_spawn_file_actions_addopen(&setup.actions, 2, "/dev/null", O_WRONLY, 0);
  if (!options.directory.empty()) posix_spawn_file_actions_addchdir_np(&setup.actions, options.directory.c_str());
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&setup.attributes, &defaults);
  posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<char*> arguments;
  for (const auto& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], &setup.actions, &setup.attributes, arguments.data(), environ);
  if (error != 0) return errno_error("run " + argv.front(), error);
  in->read.reset();
  out->write.reset();
  ::fcntl(in->write.get(), F_SETFL, O_NONBLOCK);

  Captured captured;
  const bool finished = exchange(*in, *out, options, captured);
  if (!finished) ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!finished) {
    return Error{ErrorKind::io,
                 "run " + argv.front() + ": no end after " + std::to_string(options.timeout.count()) + " ms"};
  }
  captured.exit_code = decode(status);
  return captured;
}

}  // namespace flakestat::sys
