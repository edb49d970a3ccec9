// A process as a descriptor: it becomes readable when the process has ended, and its number cannot be another's
// meanwhile.
#pragma once

#include <sys/types.h>

#include "sys/fd.hpp"

namespace flakestat::sys {

/// Not valid where the process is gone or the kernel (before 5.3) has no such thing. Close-on-exec.
[[nodiscard]] Fd open_pidfd(pid_t pid);

}  // namespace flakestat::sys
