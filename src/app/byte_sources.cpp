#include "app/byte_sources.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include "sys/file.hpp"

namespace flakestat::app {
namespace {

UnixMillis modification_time(const struct stat& info) {
  return static_cast<UnixMillis>(info.st_mtim.tv_sec) * 1000 + info.st_mtim.tv_nsec / 1'000'000;
}

}  // namespace

Result<FileSource> FileSource::open(const std::string& path) {
  sys::Fd fd;
  int descriptor = 0;
  if (path != "-") {
    auto opened = sys::open_read(path);
    if (!opened) return opened.error();
    fd = std::move(*opened);
    descriptor = fd.get();
  }
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return sys::errno_error("stat " + path, errno);
  if (S_ISDIR(info.st_mode)) {
    return Error{ErrorKind::usage, path + " is a folder: name files, or a pattern such as '" + path + "/**/*.xml'"};
  }
  if (S_ISREG(info.st_mode)) ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  if (!S_ISREG(info.st_mode)) return FileSource(path, std::move(fd), descriptor, 0, 0);
  return FileSource(path, std::move(fd), descriptor, modification_time(info), static_cast<std::uint64_t>(info.st_size));
}

Result<std::size_t> FileSource::read(char* buffer, std::size_t size) {
  return sys::read_some(descriptor_, buffer, size, path_);
}

}  // namespace flakestat::app
