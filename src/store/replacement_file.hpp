// A new file that takes another's place, or nothing at all.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "sys/fd.hpp"
#include "sys/file_calls.hpp"

namespace flakestat::store {

/// Written beside `path` under a fixed name, so that what a killed writer left is overwritten by the next; the caller
/// holds the lock. Removed again when it goes without having been committed. Not thread-safe.
class ReplacementFile {
 public:
  /// With the permissions, the owner and the access list of the file `like` is open on; -1: there is none yet, and it
  /// gets those of a new file. Errors: `io`.
  [[nodiscard]] static Result<ReplacementFile> create(const std::string& path, int like, const sys::FileCalls& calls);

  ReplacementFile(ReplacementFile&& other) noexcept;
  ReplacementFile& operator=(ReplacementFile&&) = delete;
  ~ReplacementFile();

  [[nodiscard]] Result<void> write(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Flushes, renames into place, flushes the folder. On an error before the rename the old file is what it was; after
  /// it the message says that the new one stands.
  [[nodiscard]] Result<void> commit();

 private:
  ReplacementFile(std::string path, std::string name, sys::Fd fd, const sys::FileCalls& calls);
  [[nodiscard]] Result<void> take_over_access(int like) const;

  std::string path_, name_;  ///< name_: of the new file; empty once it is none any more
  sys::Fd fd_;
  sys::FileCalls calls_;
  std::uint64_t size_ = 0;
};

/// Everything, restarted on EINTR and short writes. `path` stands in messages.
[[nodiscard]] Result<void> write_fully(const sys::FileCalls& calls, int fd, std::string_view bytes,
                                       const std::string& path);

}  // namespace flakestat::store
