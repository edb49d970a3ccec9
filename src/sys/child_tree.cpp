#include "sys/child_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <unordered_map>

#include "sys/fd.hpp"
#include "sys/pidfd.hpp"

namespace flakestat::sys {
namespace {

template <class Number>
bool take_number(std::string_view& text, Number& value) {
  const auto start = text.find_first_not_of(' ');
  if (start == std::string_view::npos) return false;
  text.remove_prefix(start);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

// Fields 7 (tty) to 21 (itrealvalue) stand between the session and the start time.
bool skip_to_start_time(std::string_view& text) {
  for (int field = 7; field < 22; ++field) {
    const auto start = text.find_first_not_of(' ');
    const auto end = text.find(' ', start == std::string_view::npos ? 0 : start);
    if (start == std::string_view::npos || end == std::string_view::npos) return false;
    text.remove_prefix(end);
  }
  return true;
}

std::optional<pid_t> pid_of(const char* name) {
  std::string_view text = name;
  pid_t pid = 0;
  if (!take_number(text, pid) || !text.empty() || pid <= 0) return std::nullopt;
  return pid;
}

// Of one thread; false where the kernel was built without this file.
bool add_children_of(pid_t thread, std::vector<pid_t>& children) {
  const auto path = "/proc/self/task/" + std::to_string(thread) + "/children";
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return false;
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = ::read(fd.get(), buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  std::string_view rest = text;
  for (pid_t pid = 0; take_number(rest, pid);) children.push_back(pid);
  return true;
}

bool send_through(int pidfd, int signal) {
#ifdef SYS_pidfd_send_signal
  return ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) == 0;
#else
  (void)pidfd;
  (void)signal;
  return false;
#endif
}

}  // namespace

std::optional<ProcessInfo> parse_process_stat(std::string_view text) {
  ProcessInfo info;
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  std::string_view head = text.substr(0, open);
  if (!take_number(head, info.pid)) return std::nullopt;
  info.name = text.substr(open + 1, close - open - 1);
  text.remove_prefix(close + 1);
  if (text.size() < 3 || text[0] != ' ') return std::nullopt;
  info.state = text[1];
  text.remove_prefix(2);
  if (!take_number(text, info.parent) || !take_number(text, info.group) || !take_number(text, info.session)) {
    return std::nullopt;
  }
  if (!skip_to_start_time(text) || !take_number(text, info.start_time)) return std::nullopt;
  return info;
}

std::optional<ProcessInfo> read_process(pid_t pid) {
  std::array<char, 32> path{};
  const auto prefix = std::string_view("/proc/").copy(path.data(), 6);
  auto* end = std::to_chars(path.data() + prefix, path.data() + path.size() - 6, pid).ptr;
  std::string_view("/stat").copy(end, 5);
  const Fd fd(::open(path.data(), O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> buffer;
  const auto count = fd.valid() ? ::read(fd.get(), buffer.data(), buffer.size()) : -1;
  if (count <= 0) return std::nullopt;
  return parse_process_stat({buffer.data(), static_cast<std::size_t>(count)});
}

std::vector<ProcessInfo> list_processes() {
  std::vector<ProcessInfo> all;
  const auto close = [](DIR* directory) { ::closedir(directory); };
  const std::unique_ptr<DIR, decltype(close)> directory(::opendir("/proc"), close);
  if (!directory) return all;
  while (const dirent* entry = ::readdir(directory.get())) {
    const auto pid = pid_of(entry->d_name);
    if (!pid) continue;
    if (auto info = read_process(*pid)) all.push_back(std::move(*info));
  }
  return all;
}

std::vector<pid_t> list_children() {
  std::vector<pid_t> children;
  const pid_t self = ::getpid();
  const auto thread = static_cast<pid_t>(::syscall(SYS_gettid));
  // Orphans go to the first thread of the process.
  bool known = add_children_of(self, children);
  if (thread != self) known = add_children_of(thread, children) && known;
  if (known) return children;
  children.clear();
  for (const auto& process : list_processes()) {
    if (process.parent == self) children.push_back(process.pid);
  }
  return children;
}

std::vector<ProcessInfo> supervised_descendants(const std::vector<ProcessInfo>& all, pid_t self, pid_t own_session,
                                                const std::vector<pid_t>& strangers, pid_t command) {
  const auto ours = [&](const ProcessInfo& child) {
    if (child.pid == command) return true;
    return child.session != own_session && std::find(strangers.begin(), strangers.end(), child.pid) == strangers.end();
  };
  std::unordered_multimap<pid_t, const ProcessInfo*> children;
  for (const auto& process : all) {
    if (process.pid != process.parent) children.emplace(process.parent, &process);
  }
  std::vector<ProcessInfo> found;
  const auto add_children = [&](pid_t parent, const auto& wanted) {
    const auto [first, last] = children.equal_range(parent);
    for (auto child = first; child != last; ++child) {
      if (wanted(*child->second)) found.push_back(*child->second);
    }
    children.erase(first, last);  // a torn listing may hold a loop: each parent is visited once
  };
  add_children(self, ours);
  for (std::size_t next = 0; next < found.size(); ++next) {
    add_children(found[next].pid, [&](const ProcessInfo& child) { return child.pid != self; });
  }
  return found;
}

bool signal_process(const ProcessInfo& process, int signal) {
  const auto pidfd = open_pidfd(process.pid);
  const auto now = read_process(process.pid);
  if (!now || now->start_time != process.start_time) return false;
  if (pidfd.valid() && send_through(pidfd.get(), signal)) return true;
  return ::kill(process.pid, signal) == 0;
}

}  // namespace flakestat::sys
