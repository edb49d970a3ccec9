#include "sys/pidfd.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace flakestat::sys {

Fd open_pidfd(pid_t pid) {
#ifdef SYS_pidfd_open
  return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
#else
  (void)pid;
  return {};
#endif
}

}  // namespace flakestat::sys
