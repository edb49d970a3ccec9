#include "sys/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <vector>

namespace flakestat::sys {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 100;
constexpr int kTries = 1000;
constexpr int kOwnerOnly = 0700;

Error failed(const char* what, const std::string& path) {
  const int number = errno;
  return Error{ErrorKind::io, std::string(what) + " " + path + ": " + std::strerror(number), number};
}

// Names come from the command line: they are no paths.
std::string file_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  std::string out(name.substr(0, kLongestName));
  std::replace_if(
      out.begin(), out.end(), [&](char c) { return !allowed(c); }, '_');
  return out.empty() || out.front() == '.' ? "_" + out : out;
}

Result<void> make_parent(const std::string& path) {
  if (::mkdir(path.c_str(), kOwnerOnly) != 0 && errno != EEXIST) return failed("make", path);
  struct stat is {};
  if (::lstat(path.c_str(), &is) != 0) return failed("look at", path);
  if (!S_ISDIR(is.st_mode) || is.st_uid != ::geteuid()) {
    return Error{ErrorKind::io, path + " is not a folder of this user", EPERM};
  }
  if ((is.st_mode & 077U) != 0 && ::chmod(path.c_str(), kOwnerOnly) != 0) return failed("protect", path);
  return {};
}

Fd locked(const std::string& path) {
  Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.valid() && ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) folder.reset();
  return folder;
}

// It may have been taken for an old one and removed between its making and its locking.
bool still_there(const std::string& path, int fd) {
  struct stat named {};
  struct stat open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(fd, &open) == 0 &&
         std::tie(named.st_dev, named.st_ino) == std::tie(open.st_dev, open.st_ino);
}

void remove_old(const std::string& parent, std::size_t kept) {
  struct Old {
    fs::file_time_type time;
    std::string path;
    Fd lock;
  };
  std::vector<Old> unused;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    auto lock = locked(entry.path().string());
    if (lock.valid()) unused.push_back({entry.last_write_time(ignored), entry.path().string(), std::move(lock)});
  }
  std::sort(unused.begin(), unused.end(), [](const Old& a, const Old& b) { return a.time > b.time; });
  for (std::size_t i = kept; i < unused.size(); ++i) fs::remove_all(unused[i].path, ignored);
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make(const std::string& parent, std::string_view name, std::size_t kept) {
  FLAKESTAT_TRY(make_parent(parent));
  remove_old(parent, kept);
  const auto first = parent + "/" + file_name(name);
  for (int number = 1; number <= kTries; ++number) {
    const auto path = number == 1 ? first : first + "-" + std::to_string(number);
    if (::mkdir(path.c_str(), kOwnerOnly) != 0) {
      if (errno == EEXIST) continue;
      return failed("make", path);
    }
    auto lock = locked(path);
    if (lock.valid() && still_there(path, lock.get())) return ScratchFolder(path, std::move(lock));
  }
  return Error{ErrorKind::io, "make " + first + ": too many of that name", EEXIST};
}

}  // namespace flakestat::sys
