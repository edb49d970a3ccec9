#include "sys/copy_back.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

constexpr int kMaxLinks = 40;  // as the kernel has it
constexpr mode_t kPermissions = 07777;

// What a link at root + path says; nothing when there is none.
std::string link_at(const std::string& path) {
  std::array<char, 4096> buffer;
  const auto size = ::readlink(path.c_str(), buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
}

// Puts the names of a path before those still to be walked, which are kept last name first.
void push_names(std::vector<std::string>& names, std::string_view path) {
  const auto parts = split(path, '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (!part->empty() && *part != ".") names.emplace_back(*part);
  }
}

// One entry of a folder on each side.
struct Entry {
  int source = AT_FDCWD;
  int target = AT_FDCWD;
  std::string name;         ///< in the source folder
  std::string target_name;  ///< in the target folder
  std::string path;         ///< for messages
};

Result<void> copy_any(const Entry& entry);

Result<void> copy_bytes(int from, int to, const std::string& path) {
  std::vector<char> buffer(std::size_t{128} << 10);
  for (;;) {
    const auto count = read_some(from, buffer.data(), buffer.size(), path);
    if (!count) return count.error();
    if (*count == 0) return {};
    FLAKESTAT_TRY(write_all(to, {buffer.data(), *count}, path));
  }
}

// Beside the target, then renamed: what is there may be a link, and readers see the old or the new.
Result<void> copy_file(const Entry& entry, const struct stat& info) {
  const Fd from(::openat(entry.source, entry.name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!from.valid()) return errno_error("open " + entry.path, errno);
  const auto temporary = entry.target_name + ".flakestat-" + std::to_string(::getpid());
  ::unlinkat(entry.target, temporary.c_str(), 0);
  const Fd to(::openat(entry.target, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!to.valid()) return errno_error("create " + temporary + " for " + entry.path, errno);
  auto copied = copy_bytes(from.get(), to.get(), entry.path);
  const std::array<timespec, 2> times{info.st_atim, info.st_mtim};
  if (copied && (::fchmod(to.get(), info.st_mode & kPermissions) != 0 || ::futimens(to.get(), times.data()) != 0 ||
                 ::renameat(entry.target, temporary.c_str(), entry.target, entry.target_name.c_str()) != 0)) {
    copied = errno_error("write " + entry.path, errno);
  }
  if (!copied) ::unlinkat(entry.target, temporary.c_str(), 0);
  return copied;
}

Result<void> copy_link(const Entry& entry) {
  std::array<char, 4096> text{};
  const auto size = ::readlinkat(entry.source, entry.name.c_str(), text.data(), text.size() - 1);
  if (size < 0) return errno_error("read the link " + entry.path, errno);
  ::unlinkat(entry.target, entry.target_name.c_str(), 0);
  if (::symlinkat(text.data(), entry.target, entry.target_name.c_str()) == 0) return {};
  return errno_error("create the link " + entry.path, errno);
}

Result<void> copy_folder(const Entry& entry, const struct stat& info) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Fd from(::openat(entry.source, entry.name.c_str(), kFlags));
  if (!from.valid()) return errno_error("open " + entry.path, errno);
  if (::mkdirat(entry.target, entry.target_name.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return errno_error("create " + entry.path, errno);
  }
  const Fd to(::openat(entry.target, entry.target_name.c_str(), kFlags));
  if (!to.valid()) return errno_error("open " + entry.path + " where it is copied to", errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::fdopendir(from.get()), ::closedir);
  if (!list) return errno_error("list " + entry.path, errno);
  const int source = from.release();
  while (const dirent* each = ::readdir(list.get())) {
    const std::string name = each->d_name;
    if (name == "." || name == "..") continue;
    FLAKESTAT_TRY(copy_any({source, to.get(), name, name, entry.path + "/" + name}));
  }
  const std::array<timespec, 2> times{info.st_atim, info.st_mtim};
  if (::fchmod(to.get(), info.st_mode & kPermissions) != 0 || ::futimens(to.get(), times.data()) != 0) {
    return errno_error("give " + entry.path + " its mode", errno);
  }
  return {};
}

Result<void> copy_any(const Entry& entry) {
  struct stat info {};
  if (::fstatat(entry.source, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno_error("copy " + entry.path, errno);
  }
  if (S_ISREG(info.st_mode)) return copy_file(entry, info);
  if (S_ISLNK(info.st_mode)) return copy_link(entry);
  if (S_ISDIR(info.st_mode)) return copy_folder(entry, info);
  return Error{ErrorKind::io, "copy " + entry.path + ": neither a file, a folder nor a link"};
}

}  // namespace

Result<std::string> real_path_in(const std::string& root, const std::string& path) {
  std::vector<std::string> ahead;  // the next name last
  push_names(ahead, path);
  std::string walked;
  for (int links = 0; !ahead.empty();) {
    const auto name = std::move(ahead.back());
    ahead.pop_back();
    if (name == "..") {
      walked.resize(walked.empty() ? 0 : walked.rfind('/'));
      continue;
    }
    const auto link = link_at(root + walked + "/" + name);
    if (link.empty()) {
      walked += "/" + name;
      continue;
    }
    if (++links > kMaxLinks) return errno_error("follow " + path, ELOOP);
    if (link.front() == '/') walked.clear();
    push_names(ahead, link);
  }
  return walked.empty() ? "/" : walked;
}

Result<void> copy_entry(const std::string& source, const std::string& target) {
  return copy_any({AT_FDCWD, AT_FDCWD, source, target, target});
}

}  // namespace flakestat::sys
