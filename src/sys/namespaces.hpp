// Processes in namespaces of their own, by system calls.
#pragma once

#include <sys/types.h>

#include "base/result.hpp"

namespace flakestat::sys {

/// clone(2) flags.
using NamespaceFlags = unsigned long;

/// fork(2) with the child in new namespaces; no exec needs to follow. -1 and errno as fork. The process must have one
/// thread; the child ends by _exit.
[[nodiscard]] pid_t fork_into(NamespaceFlags namespaces);

/// True when a process with these namespaces can be made, tried with one that ends at once.
[[nodiscard]] bool can_fork_into(NamespaceFlags namespaces);

/// First thing in a new user namespace: our own user and group, and no other, keep their numbers there.
[[nodiscard]] Result<void> map_own_ids(uid_t user, gid_t group);

/// False in a user namespace that knows few users: files cannot be given to others there.
[[nodiscard]] bool can_give_files_away();

/// In a new network namespace: 127.0.0.1 and ::1 answer.
[[nodiscard]] Result<void> raise_loopback();

/// Closes what an exec would close, above 2 and but for `kept`. Descriptors that a command is meant to inherit stay.
void close_private_descriptors_but(int kept);

}  // namespace flakestat::sys
