// Drives tests/programs/log_writer, or another program, as a child. Included by *_test.cpp only.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "sys/fd.hpp"

extern char** environ;

namespace flakestat::store {

/// A child with pipes for stdin and stdout; killed and waited for when it goes.
class WriterProcess {
 public:
  explicit WriterProcess(std::vector<std::string> arguments, const std::string& program = "log_writer") {
    arguments.insert(arguments.begin(), std::string(FLAKESTAT_PROGRAMS_DIR) + "/" + program);
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    const sys::Fd child_in(in[0]), child_out(out[1]);
    in_ = sys::Fd(in[1]);
    out_ = sys::Fd(out[0]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child_in.get(), 0);
    posix_spawn_file_actions_adddup2(&actions, child_out.get(), 1);
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const int failed = ::posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot start " + arguments[0]);
  }
  WriterProcess(const WriterProcess&) = delete;
  WriterProcess& operator=(const WriterProcess&) = delete;
  ~WriterProcess() { kill(); }

  /// The next line of its output; nothing at its end or after `patience`.
  std::optional<std::string> read_line(std::chrono::microseconds patience = std::chrono::seconds(120)) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
      if (const auto end = pending_.find('\n'); end != std::string::npos) {
        const auto line = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        return line;
      }
      const auto left =
          std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) return std::nullopt;
      pollfd polled{out_.get(), POLLIN, 0};
      const timespec wait{static_cast<time_t>(left.count() / 1'000'000'000),
                          static_cast<long>(left.count() % 1'000'000'000)};
      if (::ppoll(&polled, 1, &wait, nullptr) <= 0) continue;
      std::array<char, 4096> buffer;
      const auto count = ::read(out_.get(), buffer.data(), buffer.size());
      if (count <= 0) return std::nullopt;
      pending_.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

  /// Lets a `step` writer do its next batch.
  void step() {
    const char line = '\n';
    ASSERT_EQ(::write(in_.get(), &line, 1), 1);
  }

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    (void)wait();
  }

  /// Its exit code, or 128 + signal.
  int wait() {
    in_.reset();
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
  sys::Fd in_, out_;
  std::string pending_;
};

}  // namespace flakestat::store
