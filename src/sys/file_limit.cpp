#include "sys/file_limit.hpp"

#include <pthread.h>

#include <ctime>

namespace flakestat::sys {
namespace {

sigset_t only_xfsz() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

}  // namespace

FileLimitGuard::FileLimitGuard() {
  const auto set = only_xfsz();
  blocked_ = ::pthread_sigmask(SIG_BLOCK, &set, &before_) == 0;
}

FileLimitGuard::~FileLimitGuard() {
  if (!blocked_) return;
  if (sigismember(&before_, SIGXFSZ) == 0) {
    // The kernel sends it to the writing thread: what is pending here is ours, and dealt with as an error.
    const auto set = only_xfsz();
    const timespec now{};
    while (::sigtimedwait(&set, nullptr, &now) == SIGXFSZ) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace flakestat::sys
