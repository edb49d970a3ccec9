// Starts a process that is orphaned and ends at once, then waits until its pid is gone, as tests of daemons do.
// Exit code 0: gone; 1: still there (a zombie that nobody reaps) after two seconds.
#include <unistd.h>

#include <cerrno>
#include <csignal>

int main() {
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) return 2;
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      const pid_t pid = ::getpid();
      ::_exit(::write(pipe_ends[1], &pid, sizeof pid) == sizeof pid ? 0 : 1);
    }
    ::_exit(0);
  }
  pid_t pid = 0;
  if (::read(pipe_ends[0], &pid, sizeof pid) != sizeof pid) return 2;
  for (int i = 0; i < 200; ++i) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) return 0;
    ::usleep(10'000);
  }
  return 1;
}
