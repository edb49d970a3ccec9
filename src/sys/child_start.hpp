// From a ChildSpec to a running process: fork, session, descriptors, exec; and what went wrong on the way.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "sys/child.hpp"
#include "sys/fd.hpp"

namespace flakestat::sys {

struct StartedChild {
  pid_t pid = 0;
  Fd pidfd;   ///< invalid before kernel 5.3
  Fd output;  ///< read end of stdout and stderr, non-blocking
  /// Peak memory that the kernel counts as the command's but that was ours, copied by the fork. Nothing: not known.
  std::optional<std::uint64_t> inherited_peak_kib;
};

struct StartFailure {
  int error_number = 0;
  std::string problem;
};

/// Starts it. The failure of any step in the new process, exec included, comes back as a StartFailure.
[[nodiscard]] std::optional<StartFailure> start_child(const ChildSpec& spec, StartedChild& child);

/// Pure. The files that exec tries for `program`, in order: itself when it holds a slash, else one per PATH entry.
[[nodiscard]] std::vector<std::string> program_candidates(const std::string& program, const std::string& path);

/// Pure. `NAME=value` lines: `ours` with `added` put in place of equal names or behind, and without `unset`.
[[nodiscard]] std::vector<std::string> merged_environment(const char* const* ours,
                                                          const std::vector<std::pair<std::string, std::string>>& added,
                                                          const std::vector<std::string>& unset = {});

}  // namespace flakestat::sys
