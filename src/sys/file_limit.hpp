// Turns the signal of a file-size limit (RLIMIT_FSIZE) back into the error it belongs to.
#pragma once

#include <csignal>

namespace flakestat::sys {

/// While it lives, a write(2) of this thread beyond the limit fails with EFBIG instead of ending the process by
/// SIGXFSZ.
class FileLimitGuard {
 public:
  FileLimitGuard();
  FileLimitGuard(const FileLimitGuard&) = delete;
  FileLimitGuard& operator=(const FileLimitGuard&) = delete;
  ~FileLimitGuard();

 private:
  sigset_t before_{};
  bool blocked_ = false;
};

}  // namespace flakestat::sys
