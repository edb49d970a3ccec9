#include "store/replacement_file.hpp"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "sys/file.hpp"

namespace flakestat::store {
namespace {

constexpr const char* kAccessList = "system.posix_acl_access";
constexpr std::size_t kMostAccessList = 65536;

// Where there is none, or the file system knows none, the permission bits are all there is.
Result<void> copy_access_list(int from, int to, const std::string& name) {
  std::string list(kMostAccessList, '\0');
  const auto size = ::fgetxattr(from, kAccessList, list.data(), list.size());
  if (size <= 0) return {};
  if (::fsetxattr(to, kAccessList, list.data(), static_cast<std::size_t>(size), 0) == 0) return {};
  return sys::errno_error("set the access list of " + name, errno);
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

Result<void> write_fully(const sys::FileCalls& calls, int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto count = calls.write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return sys::errno_error("write " + path, count == 0 ? ENOSPC : errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

ReplacementFile::ReplacementFile(std::string path, std::string name, sys::Fd fd, const sys::FileCalls& calls)
    : path_(std::move(path)), name_(std::move(name)), fd_(std::move(fd)), calls_(calls) {}

ReplacementFile::ReplacementFile(ReplacementFile&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::exchange(other.name_, {})),
      fd_(std::move(other.fd_)),
      calls_(std::move(other.calls_)),
      size_(other.size_) {}

ReplacementFile::~ReplacementFile() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

Result<ReplacementFile> ReplacementFile::create(const std::string& path, int like, const sys::FileCalls& calls) {
  const auto name = path + ".new";
  if (::unlink(name.c_str()) != 0 && errno != ENOENT) return sys::errno_error("remove " + name, errno);
  sys::Fd fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, like < 0 ? 0644 : 0600));
  if (!fd.valid()) return sys::errno_error("create " + name, errno);
  ReplacementFile file(path, name, std::move(fd), calls);
  if (like >= 0) FLAKESTAT_TRY(file.take_over_access(like));
  return file;
}

Result<void> ReplacementFile::take_over_access(int like) const {
  struct stat theirs {
  }, ours{};
  if (::fstat(like, &theirs) != 0) return sys::errno_error("read " + path_, errno);
  if (::fstat(fd_.get(), &ours) != 0) return sys::errno_error("read " + name_, errno);
  const bool foreign = theirs.st_uid != ours.st_uid || theirs.st_gid != ours.st_gid;
  // Whoever may write the log today must be able to tomorrow.
  if (foreign && ::fchown(fd_.get(), theirs.st_uid, theirs.st_gid) != 0)
    return sys::errno_error("keep the owner of " + path_ + " (run it as that user)", errno);
  if (::fchmod(fd_.get(), theirs.st_mode & 07777) != 0) return sys::errno_error("chmod " + name_, errno);
  return copy_access_list(like, fd_.get(), name_);
}

Result<void> ReplacementFile::write(std::string_view bytes) {
  FLAKESTAT_TRY(write_fully(calls_, fd_.get(), bytes, name_));
  size_ += bytes.size();
  return {};
}

Result<void> ReplacementFile::commit() {
  // fsync too: fdatasync may leave out the permissions.
  while (calls_.sync(fd_.get()) != 0 || ::fsync(fd_.get()) != 0) {
    if (errno != EINTR) return sys::errno_error("flush " + name_, errno);
  }
  if (calls_.rename(name_.c_str(), path_.c_str()) != 0) return sys::errno_error("rename to " + path_, errno);
  name_.clear();
  if (auto flushed = sys::sync_directory(folder_of(path_)); !flushed) {
    auto error = flushed.error();
    error.message += "; the new file is in place, but may be the old one again after a power cut";
    return error;
  }
  return {};
}

}  // namespace flakestat::store
