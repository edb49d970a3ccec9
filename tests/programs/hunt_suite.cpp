// A test suite that behaves by argv[1] and FLAKESTAT_RUN and writes its report (one case a line) to argv[2]:
//   alternating  fails in odd runs          odd-reports  writes a report in odd runs only
//   silent       never writes one           old-copy     in even runs, one with an old time
//   half-hang    even runs write half a report and hang, deaf to SIGTERM
//   crash        even runs write half a report and die by a signal
//   leaky        leaves a child that holds the pipe
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

void write_report(const char* path, const std::string& text) { std::ofstream(path) << text; }

void make_old(const char* path) {
  const timespec times[2] = {{1'000'000'000, 1}, {1'000'000'000, 1}};
  ::utimensat(AT_FDCWD, path, times, 0);
}

[[noreturn]] void hang() {
  ::signal(SIGTERM, SIG_IGN);
  for (;;) ::pause();
}

void crash() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

void leave_child() {
  if (::fork() == 0) {
    for (;;) ::pause();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 64;
  const std::string mode = argv[1];
  const char* number = std::getenv("FLAKESTAT_RUN");
  const bool odd = number != nullptr && std::atoi(number) % 2 == 1;
  std::printf("run %s of %s\n", number, mode.c_str());
  std::fflush(stdout);
  const std::string green = "pass a\npass b\nend end\n";
  if (mode == "alternating") {
    write_report(argv[2], odd ? "pass a\nfail b\nend end\n" : green);
    return odd ? 1 : 0;
  }
  if (mode == "silent" || (mode == "odd-reports" && !odd)) return 0;
  const bool half = !odd && (mode == "half-hang" || mode == "crash");
  write_report(argv[2], half ? "pass a\n" : green);
  if (mode == "old-copy" && !odd) make_old(argv[2]);
  if (mode == "leaky") leave_child();
  if (half && mode == "half-hang") hang();
  if (half) crash();
  return 0;
}
