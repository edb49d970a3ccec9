// Who descends from a supervised command, read from /proc.
//
// While a Supervisor lives we are a child subreaper: a process whose parent ends becomes our child, not init's. So
// every process that came from the command, however it was detached, is below us. The command is started in a session
// of its own and no process can join a session again, so a child of ours that is in OUR session was started by another
// part of this program and is left alone.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flakestat::sys {

struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  char state = '?';
  std::uint64_t start_time = 0;  ///< in clock ticks since boot: with the pid it names a process for good
  std::string name;              ///< the kernel's `comm`, at most 15 bytes, as it came

  /// False for zombies and the dead: nothing of them is left to end.
  [[nodiscard]] bool alive() const { return state != 'Z' && state != 'X' && state != 'x'; }
};

/// Parses /proc/PID/stat. The name may itself hold blanks and parentheses.
[[nodiscard]] std::optional<ProcessInfo> parse_process_stat(std::string_view text);

/// One process, or nothing when it is gone.
[[nodiscard]] std::optional<ProcessInfo> read_process(pid_t pid);

/// Every process that /proc shows; empty without /proc.
[[nodiscard]] std::vector<ProcessInfo> list_processes();

/// The children of the calling thread and those that were orphaned to this process, zombies included. One read of a
/// small file (where the kernel offers it), so it sees what lives too briefly for list_processes. A child that comes or
/// goes meanwhile may be missed.
[[nodiscard]] std::vector<pid_t> list_children();

/// Pure. From `all`, the processes below `self` that came from supervised commands, in no order: those whose topmost
/// ancestor under `self` is `command`, or is not in `own_session` and none of `strangers` (children that were there
/// before: a shell may start a server and then become us). `command` itself is among them; 0 means it was reaped.
[[nodiscard]] std::vector<ProcessInfo> supervised_descendants(const std::vector<ProcessInfo>& all, pid_t self,
                                                              pid_t own_session, const std::vector<pid_t>& strangers,
                                                              pid_t command);

/// Sends a signal to exactly this process: a pid that was given to another process meanwhile is not hit (pidfd, kernel
/// 5.3; before that the moment between look and kill is left). False when it is gone or not ours to signal.
bool signal_process(const ProcessInfo& process, int signal);

}  // namespace flakestat::sys
