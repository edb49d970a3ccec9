// Compacts a log with the scorer's rule; the durability tests run and kill it.
//   log_compactor DIR TIMES [salvage] [die=CALL:N]
// Says `done D` after each compaction that dropped D duplicates. TIMES 0: until it is killed.
//   die=CALL:N  kills itself (SIGKILL) in the N-th call of flock, write (after half of the bytes), sync or rename
//               (before it); `renamed` is right after the rename
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "app/execution_rule.hpp"
#include "store/compaction.hpp"

namespace {

namespace store = flakestat::store;

void say(const std::string& line) {
  const auto text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) std::_Exit(74);
}

store::CompactOptions options_of(int argc, char** argv) {
  std::string die_in;
  int die_at = 0;
  store::CompactOptions options;
  for (int i = 3; i < argc; ++i) {
    const std::string argument = argv[i];
    options.salvage |= argument == "salvage";
    if (!argument.starts_with("die=")) continue;
    const auto colon = argument.find(':');
    die_in = argument.substr(4, colon - 4);
    die_at = std::atoi(argument.c_str() + colon + 1);
  }
  const auto dies = [die_in, die_at, calls = std::make_shared<int>(0)](std::string_view call) {
    return die_in == call && ++*calls == die_at;
  };
  const auto die = [] { ::kill(::getpid(), SIGKILL); };
  options.calls.flock = [=](int fd, int operation) {
    const int result = ::flock(fd, operation);
    if (dies("flock")) die();
    return result;
  };
  options.calls.write = [=](int fd, const void* bytes, std::size_t size) {
    if (!dies("write")) return ::write(fd, bytes, size);
    (void)!::write(fd, bytes, size / 2);
    die();
    return ssize_t{-1};
  };
  options.calls.sync = [=](int fd) {
    if (dies("sync")) die();
    return ::fdatasync(fd);
  };
  options.calls.rename = [=](const char* from, const char* to) {
    if (dies("rename")) die();
    const int result = ::rename(from, to);
    if (dies("renamed")) die();
    return result;
  };
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 64;
  const auto options = options_of(argc, argv);
  const int times = std::atoi(argv[2]);
  for (int i = 0; times == 0 || i < times; ++i) {
    flakestat::app::ScorersRule rule;
    auto done = store::compact(argv[1], rule, options);
    if (!done) {
      std::fprintf(stderr, "%s\n", done.error().message.c_str());
      return 74;
    }
    say("done " + std::to_string(done->duplicates));
  }
  return 0;
}
