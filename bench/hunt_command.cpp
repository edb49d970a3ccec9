// What bench/hunt_overhead.py hunts, and the bare loop that it is compared with.
//   hunt_command run MS [REPORT]       sleeps MS milliseconds (a sleep, so that other work on the machine weighs on all
//   alike),
//                                      then writes a JUnit report of ten cases
//   hunt_command loop N PROGRAM ARG..  posix_spawn and waitpid, N times: the least that running a command can cost
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern char** environ;

namespace {

int run(long milliseconds, const char* report) {
  timespec left{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
  if (report == nullptr) return 0;
  std::FILE* file = std::fopen(report, "we");
  if (file == nullptr) return 74;
  std::fputs("<testsuite name=\"bench\" tests=\"10\">\n", file);
  for (int i = 0; i < 10; ++i)
    std::fprintf(file, "<testcase classname=\"Bench\" name=\"case %d\" time=\"0.005\"/>\n", i);
  std::fputs("</testsuite>\n", file);
  return std::fclose(file) == 0 ? 0 : 74;
}

int loop(long count, char** argv) {
  for (long i = 0; i < count; ++i) {
    pid_t pid = 0;
    if (const int error = ::posix_spawn(&pid, argv[0], nullptr, nullptr, argv, environ); error != 0) {
      std::fprintf(stderr, "hunt_command: %s: %s\n", argv[0], std::strerror(error));
      return 66;
    }
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid || status != 0) return 70;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[1] : "";
  if (mode == "run") return run(std::atol(argv[2]), argc > 3 ? argv[3] : nullptr);
  if (mode == "loop" && argc > 3) return loop(std::atol(argv[2]), argv + 3);
  return 64;
}
