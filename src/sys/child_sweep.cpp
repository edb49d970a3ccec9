#include "sys/child_sweep.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "sys/child_tree.hpp"

namespace flakestat::sys {
namespace {

constexpr int kSweepRounds = 2000;  // then the caller looks at its deadlines again
constexpr int kLooks = 200;         // at what is being killed, kLookPause apart
constexpr int kLookPause = 10;      // milliseconds

bool signal_new_children(int signal, const std::vector<pid_t>& strangers, std::unordered_set<pid_t>& told) {
  bool any = false;
  for (const pid_t pid : list_children()) {
    if (told.contains(pid) || is_foreign_child(pid, strangers)) continue;
    if (signal == SIGKILL) kill_group_of(pid);
    ::kill(pid, signal);
    told.insert(pid);
    any = true;
  }
  return any;
}

// A group is killed while a zombie of it holds its number.
void reap_dead(const std::vector<pid_t>& strangers) {
  for (const pid_t pid : list_children()) {
    if (is_foreign_child(pid, strangers)) continue;
    siginfo_t news{};
    const auto id = static_cast<id_t>(pid);
    if (::waitid(P_PID, id, &news, WEXITED | WNOHANG | WNOWAIT) != 0 || news.si_pid == 0) continue;
    kill_group_of(pid);
    ::waitid(P_PID, id, &news, WEXITED | WNOHANG);
  }
}

bool has_no_child() {
  siginfo_t news{};
  return ::waitid(P_ALL, 0, &news, WEXITED | WNOHANG | WNOWAIT) != 0;
}

}  // namespace

bool is_foreign_child(pid_t pid, const std::vector<pid_t>& strangers) {
  return ::getsid(pid) == ::getsid(0) || std::find(strangers.begin(), strangers.end(), pid) != strangers.end();
}

void kill_group_of(pid_t orphan) {
  const pid_t group = ::getpgid(orphan);
  if (group > 1 && group != ::getpgrp()) ::kill(-group, SIGKILL);
}

void sweep_children(int signal, const std::vector<pid_t>& strangers, std::unordered_set<pid_t> told,
                    const std::function<void()>& reap) {
  for (int round = 0; round < kSweepRounds; ++round) {
    reap();
    if (!signal_new_children(signal, strangers, told)) return;
  }
}

void kill_descendants(const std::vector<pid_t>& strangers) {
  for (int look = 0; look < kLooks && !has_no_child(); ++look) {
    const auto left = supervised_descendants(list_processes(), ::getpid(), ::getsid(0), strangers, 0);
    std::unordered_set<pid_t> told;
    for (const auto& process : left) {
      if (process.alive()) signal_process(process, SIGKILL);
      told.insert(process.pid);
    }
    sweep_children(SIGKILL, strangers, std::move(told), [&] { reap_dead(strangers); });
    // A listing is no snapshot: only children that are all foreign say that nothing slipped through.
    const auto children = list_children();
    const auto foreign = [&](pid_t pid) { return is_foreign_child(pid, strangers); };
    if (left.empty() && std::all_of(children.begin(), children.end(), foreign)) return;
    ::poll(nullptr, 0, kLookPause);
  }
}

}  // namespace flakestat::sys
