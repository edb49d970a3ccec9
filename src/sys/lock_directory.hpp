// A lock for file systems without flock: a directory that only one process can put in place.
#pragma once

#include <chrono>
#include <string>

#include "base/result.hpp"

namespace flakestat::sys {

struct LockDirectoryOptions {
  std::chrono::milliseconds stale_after{std::chrono::minutes(10)};    ///< for owners whose life cannot be asked for
  std::chrono::milliseconds give_up_after{std::chrono::minutes(15)};  ///< then an io error that names the owner
  std::chrono::milliseconds poll{20};
};

/// Held until it goes. The directory holds one file, `owner`: host, boot, pid namespace, pid and the start time of the
/// process. It is made aside and renamed into place, so it never lacks its owner.
/// Stale: an owner of this boot and pid namespace that no longer runs, at once; any other owner, once the directory is
/// older than `stale_after` by the clock of its file system. One breaker at a time (a `breaking` directory inside it)
/// moves a stale one away, so a fresh lock is never broken for a stale one.
class LockDirectory {
 public:
  [[nodiscard]] static Result<LockDirectory> acquire(const std::string& path, const LockDirectoryOptions& options = {});

  LockDirectory(LockDirectory&& other) noexcept;
  LockDirectory& operator=(LockDirectory&&) = delete;
  ~LockDirectory();

  /// Says whose stale lock was broken; empty when none was.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  explicit LockDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;  ///< empty: moved from
  std::string note_;
};

/// What the `owner` file of this process says. Exposed for tests.
[[nodiscard]] std::string lock_owner_text();

}  // namespace flakestat::sys
