// Leaves a daemon behind (double fork, own session): prints its pid and exits 0. With "deaf" it ignores SIGTERM; with
// "stopped" it stops itself; with "quiet" it closes the pipe.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

namespace {
[[noreturn]] void be_daemon(const char* how, int ready) {
  if (std::strcmp(how, "deaf") == 0) ::signal(SIGTERM, SIG_IGN);
  if (std::strcmp(how, "quiet") == 0) {
    ::close(1);
    ::close(2);
  }
  const pid_t pid = ::getpid();
  if (::write(ready, &pid, sizeof pid) != sizeof pid) ::_exit(1);
  if (std::strcmp(how, "stopped") == 0) ::raise(SIGSTOP);
  for (;;) ::pause();
}
}  // namespace

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int ready[2];
  if (::pipe(ready) != 0) return 1;
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) be_daemon(how, ready[1]);
    ::_exit(0);
  }
  pid_t pid = 0;
  if (::read(ready[0], &pid, sizeof pid) != sizeof pid) return 1;
  std::printf("%d\n", static_cast<int>(pid));
  return 0;
}
