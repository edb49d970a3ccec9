#include "sys/namespaces.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

Result<void> write_once(const char* path, const std::string& text) {
  const Fd fd(::open(path, O_WRONLY | O_CLOEXEC));
  if (!fd.valid()) return errno_error(std::string("open ") + path, errno);
  return write_all(fd.get(), text, path);
}

}  // namespace

pid_t fork_into(NamespaceFlags namespaces) {
  // No stack, no thread pointer: a copy of ours, as fork makes it. The two words after the flags differ in order
  // between architectures, and are all zero.
  return static_cast<pid_t>(::syscall(SYS_clone, namespaces | SIGCHLD, 0L, 0L, 0L, 0L));
}

bool can_fork_into(NamespaceFlags namespaces) {
  const pid_t pid = fork_into(namespaces);
  if (pid == 0) ::_exit(0);
  if (pid < 0) return false;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Result<void> map_own_ids(uid_t user, gid_t group) {
  const auto map = [](auto id) { return std::to_string(id) + " " + std::to_string(id) + " 1\n"; };
  // Before kernel 3.19 there is no such file, and no need for it.
  if (auto denied = write_once("/proc/self/setgroups", "deny"); !denied && denied.error().os_error != ENOENT)
    return denied;
  FLAKESTAT_TRY(write_once("/proc/self/uid_map", map(user)));
  return write_once("/proc/self/gid_map", map(group));
}

bool can_give_files_away() {
  constexpr std::uint64_t kOrdinaryUsers = 65536;
  const auto map = read_file("/proc/self/uid_map");
  if (!map) return false;
  std::uint64_t users = 0;
  for (const auto line : split(*map, '\n')) {
    const auto count = line.substr(line.find_last_of(' ') + 1);  // npos + 1 is 0
    users += number_in<std::uint64_t>(count).value_or(0);
  }
  return users >= kOrdinaryUsers;
}

Result<void> raise_loopback() {
  const Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return errno_error("open a socket for the loopback", errno);
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", 3);
  if (::ioctl(socket.get(), SIOCGIFFLAGS, &request) != 0) return errno_error("read the loopback's state", errno);
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
  if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) return errno_error("bring up the loopback", errno);
  return {};
}

void close_private_descriptors_but(int kept) {
  std::vector<int> ours;
  DIR* directory = ::opendir("/proc/self/fd");
  while (const dirent* entry = directory != nullptr ? ::readdir(directory) : nullptr) {
    const auto fd = number_in<int>(entry->d_name);
    if (!fd || *fd <= 2 || *fd == kept || *fd == ::dirfd(directory)) continue;
    if ((::fcntl(*fd, F_GETFD) & FD_CLOEXEC) != 0) ours.push_back(*fd);
  }
  if (directory != nullptr) ::closedir(directory);
  for (const int fd : ours) ::close(fd);
}

}  // namespace flakestat::sys
