// Records runs in a ledger and says after each that it is acknowledged; the ledger's tests run many at once and kill
// them.
//   ledger_writer DIR PREFIX RUNS EPOCH [pack=N] [die=CALL:N]
// Run r is `PREFIX-r`: the test `shared` flaked, the test `PREFIX` failed; `ack r` follows on stdout.
//   pack=N      packs when there are more than N files, all but the two newest
//   die=CALL:N  kills itself (SIGKILL) in the N-th call of flock, write (after half of the bytes), sync, or rename;
//               `renamed` dies after the rename
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/ledger.hpp"

namespace {

namespace store = flakestat::store;

void say(const std::string& line) {
  const auto text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) std::_Exit(74);
}

store::LedgerOptions hooks(const std::string& die_in, int die_at) {
  store::LedgerOptions options;
  options.age.retention = 0;
  // Shared: the hooks are copied.
  const auto dies = [die_in, die_at, calls = std::make_shared<int>(0)](std::string_view call) {
    if (die_in == call && ++*calls == die_at) ::kill(::getpid(), SIGKILL);
  };
  options.calls.flock = [dies](int fd, int operation) {
    const int result = ::flock(fd, operation);
    dies("flock");
    return result;
  };
  options.calls.write = [dies, die_in](int fd, const void* bytes, std::size_t size) {
    if (die_in == "write" && size > 1) {
      const auto half = ::write(fd, bytes, size / 2);
      dies("write");
      return half;
    }
    return ::write(fd, bytes, size);
  };
  options.calls.sync = [dies](int fd) {
    dies("sync");
    return ::fdatasync(fd);
  };
  options.calls.rename = [dies](const char* from, const char* to) {
    dies("rename");
    const int result = ::rename(from, to);
    dies("renamed");
    return result;
  };
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 64;
  const std::string dir = argv[1], prefix = argv[2];
  const int runs = std::atoi(argv[3]);
  const std::int64_t epoch = std::atoll(argv[4]);
  std::string die_in;
  int die_at = 0;
  std::size_t pack = 0;
  for (int i = 5; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("pack=")) pack = static_cast<std::size_t>(std::atoi(argument.c_str() + 5));
    if (!argument.starts_with("die=")) continue;
    const auto colon = argument.find(':');
    die_in = argument.substr(4, colon - 4);
    die_at = std::atoi(argument.c_str() + colon + 1);
  }
  auto options = hooks(die_in, die_at);
  if (pack > 0) options.packing = {pack, 2};
  using Kind = flakestat::LedgerEvent::Kind;
  for (int r = 0; r < runs; ++r) {
    const std::vector<flakestat::LedgerEvent> events{{"shared", Kind::flaky, epoch + r},
                                                     {prefix, Kind::failed, epoch + r}};
    if (auto done = store::record_run(dir, prefix + "-" + std::to_string(r), events, options); !done) {
      std::fprintf(stderr, "%s\n", done.error().message.c_str());
      return 74;
    }
    say("ack " + std::to_string(r));
  }
  return 0;
}
