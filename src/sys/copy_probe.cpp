#include "sys/copy_probe.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

// Long and odd enough to be nobody's.
constexpr const char* kName = "/.flakestat-probe-4f1c2d9a";

Result<void> try_file(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid()) return errno_error("create a file in the copy: " + path, errno);
  FLAKESTAT_TRY(write_all(fd.get(), "probe", path));
  if (::rename(path.c_str(), (path + "-b").c_str()) != 0)
    return errno_error("rename a file in the copy: " + path, errno);
  if (::unlink((path + "-b").c_str()) != 0) return errno_error("remove a file in the copy: " + path, errno);
  return {};
}

// The first folder that is neither a mount point nor out of reach.
std::optional<std::string> some_folder(const std::string& folder) {
  struct stat parent {};
  if (::stat(folder.c_str(), &parent) != 0) return std::nullopt;
  std::error_code unreadable;
  for (std::filesystem::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    const auto path = entry->path().string();
    struct stat info {};
    if (::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_dev == parent.st_dev) return path;
  }
  return std::nullopt;
}

}  // namespace

Result<void> try_changes(const std::string& folder) {
  if (::access(folder.c_str(), W_OK) != 0) return {};  // nor could anybody outside
  const auto path = folder + kName;
  FLAKESTAT_TRY(try_file(path));
  if (::mkdir(path.c_str(), S_IRWXU) != 0) return errno_error("create a folder in the copy: " + path, errno);
  FLAKESTAT_TRY(try_file(path + "/file"));
  if (::rmdir(path.c_str()) != 0) return errno_error("remove a folder in the copy: " + path, errno);
  return {};
}

Result<void> try_folder_rename(const std::string& folder) {
  const auto path = some_folder(folder);
  if (!path) return {};
  const auto other = folder + kName;
  if (::rename(path->c_str(), other.c_str()) == 0 && ::rename(other.c_str(), path->c_str()) == 0) return {};
  if (errno == EACCES || errno == EPERM) return {};  // the folder is not ours: it could not be renamed outside either
  return errno_error("rename the folder " + *path + " in the copy", errno);
}

}  // namespace flakestat::sys
