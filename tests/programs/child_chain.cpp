// An endless chain: each process forks the next and exits at once. child_chain HOW NAME, HOW of
//   plain    all in one session and group          setsid   each in a session of its own
//   deaf     plain, and all ignore SIGTERM         deaf-setsid
// NAME becomes the kernel's name of all but the first. The first exits 0. Over by itself after two minutes.
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

int main(int argc, char** argv) {
  if (argc < 3) return 64;
  const bool sessions = std::strstr(argv[1], "setsid") != nullptr;
  if (std::strstr(argv[1], "deaf") != nullptr) ::signal(SIGTERM, SIG_IGN);
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto end = now.tv_sec + 120;
  while (now.tv_sec < end) {
    if (::fork() > 0) ::_exit(0);
    ::prctl(PR_SET_NAME, argv[2]);
    if (sessions) ::setsid();
    ::clock_gettime(CLOCK_MONOTONIC, &now);
  }
  return 0;
}
