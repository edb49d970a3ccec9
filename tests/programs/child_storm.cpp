// A storm: forks argv[1] children that wait for good, makes the file $READY when there is such a variable, and waits
// too. argv[2] may hold: deaf (all ignore SIGTERM), setsid (each child in a session of its own), stopped (each child
// stops itself), orphan (it exits 0 in place of waiting).
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace {
[[noreturn]] void wait_for_good() {
  ::alarm(600);  // should a test die that was to end us
  for (;;) ::pause();
}
}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  const char* how = argc > 2 ? argv[2] : "";
  const auto is = [how](const char* word) { return std::strstr(how, word) != nullptr; };
  if (is("deaf")) ::signal(SIGTERM, SIG_IGN);
  for (int i = 0; i < count; ++i) {
    const pid_t pid = ::fork();
    if (pid < 0) return 71;
    if (pid > 0) continue;
    if (is("setsid")) ::setsid();
    if (is("stopped")) ::raise(SIGSTOP);
    wait_for_good();
  }
  if (const char* ready = std::getenv("READY")) ::close(::creat(ready, 0600));
  if (is("orphan")) return 0;
  wait_for_good();
}
