#include "sys/lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <thread>

#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

constexpr mode_t kLockMode = 0644;
constexpr std::chrono::milliseconds kSharedPoll{5};

// What a file system says that has no locks, or whose lock server is away.
bool means_no_flock(int error_number) {
  return error_number == ENOLCK || error_number == EOPNOTSUPP || error_number == ENOSYS || error_number == EINVAL;
}

int flock_retried(const FileCalls& calls, int fd, int operation) {
  for (;;) {
    const int result = calls.flock(fd, operation);
    if (result == 0 || errno != EINTR) return result;
  }
}

// False when somebody removed or replaced the lock file after we opened it: our lock would exclude nobody.
bool is_still_at(int fd, const std::string& path) {
  struct stat ours {
  }, theirs{};
  if (::fstat(fd, &ours) != 0 || ::stat(path.c_str(), &theirs) != 0) return false;
  return ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

}  // namespace

Result<Lock> Lock::exclusive(const std::string& path, const FileCalls& calls, const LockDirectoryOptions& directory) {
  Lock lock;
  for (;;) {
    Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kLockMode));
    if (!fd.valid()) return errno_error("open " + path, errno);
    if (flock_retried(calls, fd.get(), LOCK_EX) != 0) {
      const int refused = errno;
      if (!means_no_flock(refused)) return errno_error("lock " + path, refused);
      auto taken = LockDirectory::acquire(path + ".d", directory);
      if (!taken) return taken.error();
      lock.notes_.push_back("flock on " + path + " is refused here (" + std::generic_category().message(refused) +
                            "): used the lock directory " + path + ".d");
      if (!taken->note().empty()) lock.notes_.push_back(taken->note());
      lock.directory_.emplace(std::move(*taken));
      return lock;
    }
    if (!is_still_at(fd.get(), path)) continue;
    lock.fd_ = std::move(fd);
    return lock;
  }
}

std::optional<Lock> Lock::try_shared(const std::string& path, std::chrono::milliseconds patience) {
  Lock lock;
  lock.fd_ = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!lock.fd_.valid()) return std::nullopt;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (::flock(lock.fd_.get(), LOCK_SH | LOCK_NB) != 0) {
    const bool busy = errno == EWOULDBLOCK || errno == EINTR;
    if (!busy || std::chrono::steady_clock::now() >= deadline) {
      lock.fd_.reset();
      return std::nullopt;
    }
    std::this_thread::sleep_for(kSharedPoll);
  }
  return lock;
}

void Lock::release() {
  if (fd_.valid()) ::flock(fd_.get(), LOCK_UN);
  fd_.reset();
  directory_.reset();
}

}  // namespace flakestat::sys
