// Signals to processes that fork while they are looked for.
//
// A chain of processes that fork and exit is always one generation ahead of a listing. Each generation becomes our
// child when the one before it ends (we are a child subreaper), so rounds over our children alone, without a pause,
// catch one that has not forked yet. Children of ours are reaped by us only: their numbers cannot be reused meanwhile.
#pragma once

#include <sys/types.h>

#include <functional>
#include <unordered_set>
#include <vector>

namespace flakestat::sys {

/// Pure but for the session of `pid`: a child of ours that no command started, since it is in our session or among
/// `strangers` (child_tree.hpp).
[[nodiscard]] bool is_foreign_child(pid_t pid, const std::vector<pid_t>& strangers);

/// Kills the group of an orphan that we have not reaped and that is not foreign, so the group is in a session that came
/// from a command. Members that are being forked right now are hit too, which no signal to single processes can do.
void kill_group_of(pid_t orphan);

/// Signals our children, less the foreign ones and those in `told`, round after round until one meets none that is new.
/// `reap` is called before each round and must take the dead.
void sweep_children(int signal, const std::vector<pid_t>& strangers, std::unordered_set<pid_t> told,
                    const std::function<void()>& reap);

/// Kills all that is below us and came from commands, and reaps it as it becomes ours. Gives up on what even that does
/// not end after some seconds. `strangers`: children to leave alone. For processes that watch no command any more.
void kill_descendants(const std::vector<pid_t>& strangers);

}  // namespace flakestat::sys
