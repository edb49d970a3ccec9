// Ends itself with signal argv[1].
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

int main(int argc, char** argv) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int signal = argc > 1 ? std::atoi(argv[1]) : SIGSEGV;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  return 1;
}
