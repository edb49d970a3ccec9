// Files: open, read whole, write whole, errors that name the path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "sys/fd.hpp"

namespace flakestat::sys {

/// An io error for `what` (a path with the attempted action) from the current errno; ENOENT becomes `missing`.
[[nodiscard]] Error errno_error(const std::string& what, int error_number);

/// Opens for reading, O_CLOEXEC.
[[nodiscard]] Result<Fd> open_read(const std::string& path);

/// The whole content, at most `limit` bytes (more is an io error).
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{1} << 31);

/// One read(2), restarted on EINTR; 0 at the end.
[[nodiscard]] Result<std::size_t> read_some(int fd, char* buffer, std::size_t size, const std::string& path);

/// One pread(2), restarted on EINTR; 0 at the end.
[[nodiscard]] Result<std::size_t> read_at(int fd, char* buffer, std::size_t size, std::uint64_t offset,
                                          const std::string& path);

/// Writes everything, restarted on EINTR and short writes.
[[nodiscard]] Result<void> write_all(int fd, std::string_view bytes, const std::string& path);

/// Creates (0644) or replaces through a temporary file in the same folder, synced, then renamed. A file that is there
/// keeps its permissions; a link stays, what it leads to is replaced; a device or a pipe is written to.
[[nodiscard]] Result<void> replace_file(const std::string& path, std::string_view content);

/// Appends, creating the file when needed; what is there stays. Not synced: for files that others read at once.
[[nodiscard]] Result<void> append_file(const std::string& path, std::string_view content);

/// Flushes names created in, or renamed into, a directory.
[[nodiscard]] Result<void> sync_directory(const std::string& directory);

/// mkdir -p whose new names survive a power cut; one mkdir(2) when it is there already.
[[nodiscard]] Result<void> make_directories_durably(const std::string& path);

/// mkdir -p.
[[nodiscard]] Result<void> make_directories(const std::string& path);

/// replace_file in a folder that is made when needed.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace flakestat::sys
