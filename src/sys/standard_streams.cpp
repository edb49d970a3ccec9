#include "sys/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace flakestat::sys {

void occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Opened the wrong way round: who uses it is told so. The lowest free number is the one that is missing.
    const int opened = ::open("/dev/null", (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    if (opened >= 0 && opened != stream) ::close(opened);
  }
}

}  // namespace flakestat::sys
