#include "sys/scratch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>

#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

constexpr std::string_view kPrefix = "flakestat-copies-";
constexpr const char* kLockName = "in-use";
constexpr int kAttempts = 16;
constexpr std::time_t kUnlockedAge = 3600;  // a folder without a lock may be about to get one

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

Directory list(Fd fd) {
  Directory directory(::fdopendir(fd.get()), ::closedir);
  if (directory) (void)fd.release();
  return directory;
}

bool is_dot(std::string_view name) { return name == "." || name == ".."; }

Fd open_folder(int parent, const char* name) {
  return Fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Removes everything in a folder; remembers the first thing that stayed.
class Remover {
 public:
  void remove(int parent, const char* name, const std::string& path) {
    if (::unlinkat(parent, name, 0) == 0 || errno == ENOENT) return;
    const int refused = errno;
    Fd folder = open_folder(parent, name);
    if (!folder.valid() && errno == EACCES && ::fchmodat(parent, name, S_IRWXU, 0) == 0) {
      folder = open_folder(parent, name);
    }
    if (!folder.valid()) return stayed(path, refused);
    empty(std::move(folder), path);
    if (::unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno != ENOENT) stayed(path, errno);
  }

  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void empty(Fd folder, const std::string& path) {
    struct stat info {};
    if (::fstat(folder.get(), &info) != 0) return stayed(path, errno);
    if (!device_) device_ = info.st_dev;
    if (info.st_dev != *device_) return stayed(path, EXDEV);
    // Without the right to write here nothing could be unlinked; a copied tree may hold such folders.
    if ((info.st_mode & S_IRWXU) != S_IRWXU) ::fchmod(folder.get(), S_IRWXU);
    const auto directory = list(std::move(folder));
    if (!directory) return stayed(path, errno);
    while (const dirent* entry = ::readdir(directory.get())) {
      if (!is_dot(entry->d_name)) remove(::dirfd(directory.get()), entry->d_name, path + "/" + entry->d_name);
    }
  }

  void stayed(const std::string& path, int error_number) {
    if (!problem_) problem_ = errno_error("remove " + path, error_number);
  }

  std::optional<dev_t> device_;
  std::optional<Error> problem_;
};

Fd lock_in(const std::string& folder, int flags) {
  Fd fd(::open((folder + "/" + kLockName).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
  if (fd.valid() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) fd.reset();
  return fd;
}

bool is_abandoned(const std::string& folder) {
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid()) return false;
  struct stat lock {};
  const bool has_lock = ::lstat((folder + "/" + kLockName).c_str(), &lock) == 0;
  return has_lock || info.st_mtime + kUnlockedAge < ::time(nullptr);
}

// The lock is held while we remove: nobody else removes the same folder, and its owner has no lock any more.
void sweep(const std::string& base) {
  const auto directory = list(Fd(::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr) {
    if (!std::string_view(entry->d_name).starts_with(kPrefix)) continue;
    const auto folder = base + "/" + entry->d_name;
    if (!is_abandoned(folder)) continue;
    const Fd lock = lock_in(folder, O_CREAT);
    if (lock.valid()) (void)remove_tree(folder);  // what stays is tried again next time
  }
}

// The folder may have been swept between its making and its locking.
bool still_there(const Fd& lock, const std::string& folder) {
  struct stat ours {
  }, named{};
  return ::fstat(lock.get(), &ours) == 0 && ::lstat((folder + "/" + kLockName).c_str(), &named) == 0 &&
         ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

}  // namespace

Result<void> remove_tree(const std::string& path) {
  Remover remover;
  remover.remove(AT_FDCWD, path.c_str(), path);
  if (remover.problem()) return *remover.problem();
  return {};
}

Result<Scratch> Scratch::open(const std::string& base) {
  FLAKESTAT_TRY(make_directories(base));
  sweep(base);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string folder = base + "/" + std::string(kPrefix) + "XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) return errno_error("create " + folder, errno);
    Fd lock = lock_in(folder, O_CREAT);
    if (lock.valid() && still_there(lock, folder)) return Scratch(std::move(folder), std::move(lock));
    if (!lock.valid() && errno != EWOULDBLOCK && errno != ENOENT) return errno_error("lock " + folder, errno);
  }
  return Error{ErrorKind::io, "create a folder in " + base + ": others remove it again and again"};
}

Scratch::~Scratch() {
  if (lock_.valid()) (void)remove_tree(path_);  // what stays is swept by the next one
}

}  // namespace flakestat::sys
