#include "sys/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace flakestat::sys {
namespace {

template <class Call>
auto retry_on_eintr(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

std::string parent_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Where a link leads; the path itself where it is none, or leads nowhere.
std::string behind_link(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_symlink(path, unknown)) return path;
  auto real = std::filesystem::canonical(path, unknown).string();
  return unknown ? path : real;
}

}  // namespace

Error errno_error(const std::string& what, int error_number) {
  const auto kind = error_number == ENOENT ? ErrorKind::missing : ErrorKind::io;
  return {kind, what + ": " + std::generic_category().message(error_number), error_number};
}

Result<Fd> open_read(const std::string& path) {
  Fd fd(retry_on_eintr([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  if (!fd.valid()) return errno_error("open " + path, errno);
  return fd;
}

Result<std::size_t> read_some(int fd, char* buffer, std::size_t size, const std::string& path) {
  const auto count = retry_on_eintr([&] { return ::read(fd, buffer, size); });
  if (count < 0) return errno_error("read " + path, errno);
  return static_cast<std::size_t>(count);
}

Result<std::size_t> read_at(int fd, char* buffer, std::size_t size, std::uint64_t offset, const std::string& path) {
  const auto count = retry_on_eintr([&] { return ::pread(fd, buffer, size, static_cast<off_t>(offset)); });
  if (count < 0) return errno_error("read " + path, errno);
  return static_cast<std::size_t>(count);
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  auto fd = open_read(path);
  if (!fd) return fd.error();
  std::string content;
  struct stat info {};
  if (::fstat(fd->get(), &info) == 0 && info.st_size > 0) content.reserve(static_cast<std::size_t>(info.st_size) + 1);
  for (;;) {
    const auto used = content.size();
    if (used > limit) return Error{ErrorKind::io, "read " + path + ": larger than " + std::to_string(limit) + " bytes"};
    content.resize(std::max(content.capacity(), used + 65536));
    auto count = read_some(fd->get(), content.data() + used, content.size() - used, path);
    if (!count) return count.error();
    content.resize(used + *count);
    if (*count == 0) return content;
  }
}

Result<void> write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto count = retry_on_eintr([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (count < 0) return errno_error("write " + path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> replace_file(const std::string& named, std::string_view content) {
  struct stat info {};
  const bool exists = ::stat(named.c_str(), &info) == 0;
  // A device or a pipe (/dev/stdout) takes the bytes and stays what it is.
  if (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return append_file(named, content);
  const auto path = behind_link(named);
  const auto mode = exists && S_ISREG(info.st_mode) ? info.st_mode & 0777 : mode_t{0644};
  std::string temporary = path + ".XXXXXX";
  const Fd fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd.valid()) return errno_error("create " + temporary, errno);
  auto written = write_all(fd.get(), content, temporary);
  if (written && ::fchmod(fd.get(), mode) != 0) written = errno_error("chmod " + temporary, errno);
  if (written && ::fsync(fd.get()) != 0) written = errno_error("sync " + temporary, errno);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) written = errno_error("rename to " + path, errno);
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  return sync_directory(parent_of(path));
}

Result<void> append_file(const std::string& path, std::string_view content) {
  const Fd fd(retry_on_eintr([&] { return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644); }));
  if (!fd.valid()) return errno_error("open " + path, errno);
  return write_all(fd.get(), content, path);
}

Result<void> sync_directory(const std::string& directory) {
  const Fd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return errno_error("sync " + directory, errno);
  // Some network file systems cannot sync a directory and say so; they order names by themselves.
  if (::fsync(fd.get()) != 0 && errno != EINVAL && errno != ENOTSUP) return errno_error("sync " + directory, errno);
  return {};
}

Result<void> make_directories_durably(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) != 0) {
    const int refused = errno;
    std::error_code ignored;
    if (refused == EEXIST && std::filesystem::is_directory(path, ignored)) return {};
    const auto parent = parent_of(path);
    if (refused != ENOENT || parent == path) return errno_error("create " + path, refused);
    if (auto made = make_directories_durably(parent); !made) return made;
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return errno_error("create " + path, errno);
  }
  return sync_directory(parent_of(path));
}

Result<void> make_directories(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) return errno_error("create " + path, code.value());
  return {};
}

Result<void> write_file(const std::string& path, std::string_view content) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) FLAKESTAT_TRY(make_directories(folder.string()));
  return replace_file(path, content);
}

}  // namespace flakestat::sys
