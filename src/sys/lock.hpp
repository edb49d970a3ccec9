// The exclusive lock of a state folder: flock on a file that is never replaced, or a lock directory where flock is
// refused.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "sys/fd.hpp"
#include "sys/file_calls.hpp"
#include "sys/lock_directory.hpp"

namespace flakestat::sys {

/// Held from a successful `exclusive` or `try_shared` until it goes. Excludes other processes and other threads alike.
/// Never hold it while a command runs: a stopped holder stops every writer.
class Lock {
 public:
  /// Waits for the lock file `path` (created when absent, 0644 less the umask). Where the file system refuses flock it
  /// takes the lock directory `path + ".d"` instead, and `notes` says so. Errors: `io`.
  [[nodiscard]] static Result<Lock> exclusive(const std::string& path, const FileCalls& calls = {},
                                              const LockDirectoryOptions& directory = {});

  /// A shared lock on an existing lock file, waited for at most `patience`; nothing when it cannot be had.
  [[nodiscard]] static std::optional<Lock> try_shared(const std::string& path, std::chrono::milliseconds patience);

  Lock(Lock&&) noexcept = default;
  Lock& operator=(Lock&&) = delete;
  ~Lock() { release(); }

  /// Unlocks before it closes: a child that inherited the descriptor must not keep the lock.
  void release();

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  Lock() = default;

  Fd fd_;
  std::optional<LockDirectory> directory_;
  std::vector<std::string> notes_;
};

}  // namespace flakestat::sys
