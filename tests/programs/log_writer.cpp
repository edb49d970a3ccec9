// Appends batches to a log and says after each that it is acknowledged; the durability tests run and kill it.
//   log_writer DIR PREFIX BATCHES LINES PADDING [step] [leak] [die=CALL:N]
// Batch b has LINES observations named PREFIX-b-0..., each with a message of PADDING bytes; `ack b` follows on stdout.
//   step        waits for a line on stdin before every batch
//   leak        forks a child inside the first append; it holds copies of every descriptor until it is killed (`leaked
//   PID`) die=CALL:N  kills itself (SIGKILL) in the N-th call of flock, write (after half of the bytes) or sync
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/identity.hpp"
#include "store/append_log.hpp"

namespace {

namespace store = flakestat::store;

struct Options {
  std::string dir, prefix;
  int batches = 0;
  int lines = 0;
  std::size_t padding = 0;
  bool step = false;
  bool leak = false;
  std::string die_in;
  int die_at = 0;
};

flakestat::Observation observation(const Options& options, int batch, int line) {
  flakestat::Observation o;
  o.ts = 1'786'960'800'000 + batch;
  o.run_id = options.prefix;
  o.name = options.prefix + "-" + std::to_string(batch) + "-" + std::to_string(line);
  o.test_id = flakestat::test_id("", "", o.name);
  o.message = std::string(options.padding, 'm');
  o.exec_key = flakestat::to_hex(o.test_id);
  return o;
}

void say(const std::string& line) {
  const auto text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) std::_Exit(74);
}

// Counts the calls of one kind and ends the process in the chosen one.
store::AppendOptions hooks(const Options& options) {
  store::AppendOptions hooked;
  // Shared: a log keeps copies of the hooks.
  const auto dies = [options, calls = std::make_shared<int>(0)](std::string_view call) {
    return options.die_in == call && ++*calls == options.die_at;
  };
  hooked.calls.flock = [dies](int fd, int operation) {
    const int result = ::flock(fd, operation);
    if (dies("flock")) ::kill(::getpid(), SIGKILL);
    return result;
  };
  hooked.calls.write = [dies, leak = std::make_shared<bool>(options.leak)](int fd, const void* bytes,
                                                                           std::size_t size) {
    if (std::exchange(*leak, false)) {
      const auto child = ::fork();
      if (child == 0) {
        for (;;) ::pause();
      }
      say("leaked " + std::to_string(child));
    }
    if (!dies("write")) return ::write(fd, bytes, size);
    (void)!::write(fd, bytes, size / 2);
    ::kill(::getpid(), SIGKILL);
    return ssize_t{-1};
  };
  hooked.calls.sync = [dies](int fd) {
    if (dies("sync")) ::kill(::getpid(), SIGKILL);
    return ::fdatasync(fd);
  };
  return hooked;
}

Options parse(const std::vector<std::string>& arguments) {
  Options options{arguments[0],
                  arguments[1],
                  std::atoi(arguments[2].c_str()),
                  std::atoi(arguments[3].c_str()),
                  static_cast<std::size_t>(std::atol(arguments[4].c_str())),
                  false,
                  false,
                  "",
                  0};
  for (std::size_t i = 5; i < arguments.size(); ++i) {
    const auto& argument = arguments[i];
    options.step |= argument == "step";
    options.leak |= argument == "leak";
    if (!argument.starts_with("die=")) continue;
    const auto colon = argument.find(':');
    options.die_in = argument.substr(4, colon - 4);
    options.die_at = std::atoi(argument.c_str() + colon + 1);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 64;
  const auto options = parse({argv + 1, argv + argc});
  const auto hooked = hooks(options);
  for (int b = 0; b < options.batches; ++b) {
    std::string line;
    if (options.step && !std::getline(std::cin, line)) return 0;
    std::vector<flakestat::Observation> batch;
    for (int i = 0; i < options.lines; ++i) batch.push_back(observation(options, b, i));
    if (auto result = store::append(options.dir, batch, hooked); !result) {
      std::fprintf(stderr, "%s\n", result.error().message.c_str());
      return 74;
    }
    say("ack " + std::to_string(b));
  }
  return 0;
}
