// The inside of a copy: mounts, /proc and loopback, made by the process that has new namespaces for them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sys/child.hpp"
#include "sys/isolation.hpp"
#include "sys/namespaces.hpp"

namespace flakestat::sys {

/// What of an isolation could not be had.
enum class SetupStep : std::uint8_t {
  ids,     ///< a user namespace that keeps our numbers
  mounts,  ///< mounts of one's own at all
  tree,    ///< the tree's copy
  rename,  ///< folders of the tree cannot be renamed in an overlay
  also,    ///< the copy of a further folder: `index` in the plan's list
  tmp,
  pid,
  net,
  folder,  ///< the working folder is not there any more
};

struct SetupFailure {
  SetupStep step = SetupStep::mounts;
  std::uint32_t index = 0;
  bool interrupted = false;  ///< the user wants to stop: nothing is wrong
  std::string problem;       ///< what could not be done, to what, and why
};

/// The namespaces that a plan needs.
[[nodiscard]] NamespaceFlags namespaces_for(const IsolationPlan& plan);

struct SetupContext {
  std::string folder;             ///< for what the copy writes; empty: none
  std::string working_directory;  ///< entered again by its name when all is mounted
  uid_t user = 0;                 ///< ours, as seen outside
  gid_t group = 0;
  bool probe = false;                                       ///< try what could go wrong later, too
  std::function<ChildResult(const ChildSpec&)> run_helper;  ///< cp
};

/// Isolates the calling process as planned; it has the namespaces, one thread, and nothing of ours to keep open.
[[nodiscard]] std::optional<SetupFailure> set_up_copy(const IsolationPlan& plan, const SetupContext& context);

}  // namespace flakestat::sys
