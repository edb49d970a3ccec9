// Prints what it was given, one fact a line: arguments, FLAKESTAT_RUN, folder, session, stdin, descriptors, signals.
#include <dirent.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {
int open_descriptors() {
  DIR* directory = ::opendir("/proc/self/fd");
  int count = -1;  // the listing's own
  while (const dirent* entry = ::readdir(directory)) count += entry->d_name[0] != '.';
  ::closedir(directory);
  return count;
}

bool blocked(int signal) {
  sigset_t mask;
  ::sigprocmask(SIG_SETMASK, nullptr, &mask);
  return ::sigismember(&mask, signal) == 1;
}

bool is_default(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}
}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::printf("arg=%s\n", argv[i]);
  const char* run = std::getenv("FLAKESTAT_RUN");
  char buffer[4096];
  std::printf("run=%s\n", run == nullptr ? "" : run);
  std::printf("cwd=%s\n", ::getcwd(buffer, sizeof buffer));
  std::printf("leader=%d\n", ::getsid(0) == ::getpid());
  std::printf("tty=%d\n", ::access("/dev/tty", F_OK) == 0 && std::fopen("/dev/tty", "r") != nullptr);
  std::printf("stdin=%d\n", static_cast<int>(::read(0, buffer, sizeof buffer)));
  std::printf("descriptors=%d\n", open_descriptors());
  std::printf("blocked=%d\n", blocked(SIGINT) || blocked(SIGTERM) || blocked(SIGCHLD));
  std::printf("default=%d\n", is_default(SIGINT) && is_default(SIGTERM) && is_default(SIGCHLD) && is_default(SIGPIPE));
  std::fprintf(stderr, "and this went to stderr\n");
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
