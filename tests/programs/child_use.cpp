// Uses resources, in a child that it waits for: argv[1] MiB of memory and argv[2] milliseconds of processor time.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {
long processor_milliseconds() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 64;
  const pid_t pid = ::fork();
  if (pid == 0) {
    std::string memory(static_cast<std::size_t>(std::atol(argv[1])) << 20, 'x');
    for (std::size_t i = 0; processor_milliseconds() < std::atol(argv[2]); ++i) memory[i % memory.size()] ^= 1;
    return memory.back() == 'y' ? 1 : 0;
  }
  int status = 0;
  return ::waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}
