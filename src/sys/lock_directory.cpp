#include "sys/lock_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>

#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

constexpr std::size_t kOwnerLimit = 4096;

std::string small_file(const std::string& path) {
  auto content = read_file(path, kOwnerLimit);
  return content ? *content : std::string();
}

// The 22nd field of /proc/<pid>/stat; the second may hold blanks and brackets, so count from its last `)`.
std::string start_time(long pid) {
  const auto text = small_file("/proc/" + std::to_string(pid) + "/stat");
  auto at = text.rfind(')');
  if (at == std::string::npos) return "";
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = text.find(' ', at + 1);
  if (at == std::string::npos) return "";
  return text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string pid_namespace() {
  std::array<char, 64> link{};
  const auto size = ::readlink("/proc/self/ns/pid", link.data(), link.size());
  return size > 0 ? std::string(link.data(), static_cast<std::size_t>(size)) : "unknown";
}

std::string boot_id() {
  auto id = small_file("/proc/sys/kernel/random/boot_id");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id.empty() ? "unknown" : id;
}

// The value of `key=...` in an owner file.
std::string field(std::string_view owner, std::string_view key) {
  const auto wanted = std::string(key) + "=";
  std::size_t at = 0;
  while (at < owner.size()) {
    const auto end = std::min(owner.find('\n', at), owner.size());
    const auto line = owner.substr(at, end - at);
    if (line.starts_with(wanted)) return std::string(line.substr(wanted.size()));
    at = end + 1;
  }
  return "";
}

// Whether the owner runs, where this process can know: the same host, boot and pid namespace.
std::optional<bool> is_alive(const std::string& owner) {
  const auto boot = field(owner, "boot");
  if (boot == "unknown" || boot != boot_id() || field(owner, "host") != host_name() ||
      field(owner, "pid_namespace") != pid_namespace()) {
    return std::nullopt;
  }
  const long pid = std::strtol(field(owner, "pid").c_str(), nullptr, 10);
  if (pid <= 0) return std::nullopt;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return false;
  return start_time(pid) == field(owner, "start");
}

// A name beside `path` that no other process or thread uses.
std::string unique_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return path + "." + host_name() + "." + std::to_string(::getpid()) + "." + std::to_string(count++);
}

void remove_lock_directory(const std::string& path) {
  ::unlink((path + "/owner").c_str());
  ::rmdir((path + "/breaking").c_str());
  ::rmdir(path.c_str());
}

// Age by the clock of the file system that holds it: a server's clock may differ from ours.
std::optional<std::chrono::milliseconds> age_of(const std::string& path) {
  struct stat then {
  }, now{};
  if (::stat(path.c_str(), &then) != 0) return std::nullopt;
  const auto probe = unique_name(path) + ".clock";
  const Fd fd(::open(probe.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  const bool known = fd.valid() && ::fstat(fd.get(), &now) == 0;
  if (fd.valid()) ::unlink(probe.c_str());
  if (!known) return std::nullopt;
  return std::chrono::milliseconds((now.st_mtim.tv_sec - then.st_mtim.tv_sec) * 1000 +
                                   (now.st_mtim.tv_nsec - then.st_mtim.tv_nsec) / 1'000'000);
}

bool is_stale(const std::string& path, const std::string& owner, const LockDirectoryOptions& options) {
  if (const auto alive = is_alive(owner)) return !*alive;
  const auto age = age_of(path);
  return age && *age > options.stale_after;
}

// Moves the lock away if it is still `owner`'s. `breaking` inside the lock itself is the right to do so: whoever makes
// it in a lock that meanwhile is another's sees that owner and takes it back.
bool break_stale(const std::string& path, const std::string& owner) {
  const auto claim = path + "/breaking";
  if (::mkdir(claim.c_str(), 0700) != 0) return false;
  if (small_file(path + "/owner") != owner) {
    ::rmdir(claim.c_str());
    return false;
  }
  const auto aside = unique_name(path) + ".stale";
  if (::rename(path.c_str(), aside.c_str()) != 0) return false;
  remove_lock_directory(aside);
  return true;
}

// Makes the directory aside, complete, and renames it into place. False: another holds the lock.
Result<bool> try_acquire(const std::string& path) {
  const auto aside = unique_name(path);
  if (::mkdir(aside.c_str(), 0755) != 0) return errno_error("create " + aside, errno);
  auto written = replace_file(aside + "/owner", lock_owner_text());
  if (!written) {
    remove_lock_directory(aside);
    return written.error();
  }
  if (::rename(aside.c_str(), path.c_str()) == 0) return true;
  const int refused = errno;
  remove_lock_directory(aside);
  if (refused == ENOTEMPTY || refused == EEXIST) return false;
  return errno_error("rename to " + path, refused);
}

std::string one_line(std::string text) {
  for (auto& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::string lock_owner_text() {
  return "host=" + host_name() + "\nboot=" + boot_id() + "\npid_namespace=" + pid_namespace() +
         "\npid=" + std::to_string(::getpid()) + "\nstart=" + start_time(::getpid()) + "\n";
}

Result<LockDirectory> LockDirectory::acquire(const std::string& path, const LockDirectoryOptions& options) {
  const auto deadline = std::chrono::steady_clock::now() + options.give_up_after;
  std::string note;
  for (;;) {
    auto taken = try_acquire(path);
    if (!taken) return taken.error();
    if (*taken) break;
    const auto owner = small_file(path + "/owner");
    if (!owner.empty() && is_stale(path, owner, options) && break_stale(path, owner)) {
      note = "broke the stale lock " + path + " of " + one_line(owner);
      continue;
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return Error{ErrorKind::io, "lock " + path + ": held by " + one_line(owner) +
                                      "; remove that directory if no flakestat runs there"};
    }
    std::this_thread::sleep_for(options.poll);
  }
  LockDirectory lock(path);
  lock.note_ = std::move(note);
  return lock;
}

LockDirectory::LockDirectory(LockDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), note_(std::move(other.note_)) {}

LockDirectory::~LockDirectory() {
  if (path_.empty()) return;
  // Ours only while it says so: after `stale_after` another host may have broken it.
  if (small_file(path_ + "/owner") != lock_owner_text()) return;
  const auto aside = unique_name(path_) + ".done";
  if (::rename(path_.c_str(), aside.c_str()) == 0) remove_lock_directory(aside);
}

}  // namespace flakestat::sys
