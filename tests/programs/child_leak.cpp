// Leaves a child that holds the pipe: prints its pid and exits 0. The child ends after argv[1] milliseconds (0: never).
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const long milliseconds = argc > 1 ? std::atol(argv[1]) : 0;
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (milliseconds == 0) {
      for (;;) ::pause();
    }
    ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
    ::_exit(0);
  }
  std::printf("%d\n", static_cast<int>(pid));
  return 0;
}
