// What parallel copies of a command are kept from sharing, and what of that this machine can do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sys/signals.hpp"

namespace flakestat::sys {

/// What a copy has of its own.
struct Isolation {
  bool fs = false;   ///< the working tree: changes stay in the copy
  bool tmp = false;  ///< /tmp, $TMPDIR and /dev/shm
  bool pid = false;  ///< process numbers and /proc
  bool net = false;  ///< a network with nothing but a loopback

  [[nodiscard]] bool any() const { return fs || tmp || pid || net; }
  /// Files look different from within: what a copy wrote must be read through its root.
  [[nodiscard]] bool has_mounts() const { return fs || tmp || pid; }
  bool operator==(const Isolation&) const = default;
};

/// `none`, or names of `fs tmp pid net` with commas between them, in any order. Anything else is a usage error.
[[nodiscard]] Result<Isolation> parse_isolation(std::string_view text);

/// In the one order `fs,tmp,pid,net`; `none` for nothing.
[[nodiscard]] std::string to_string(const Isolation& isolation);

/// How a copy gets a tree of its own.
enum class TreeCopy : std::uint8_t {
  overlay,  ///< an overlay file system: nothing is copied until it is changed
  copied,   ///< a real copy, mounted over the tree's path
};

/// What is wanted, and what the machine looks like.
struct IsolationRequest {
  Isolation wanted;
  std::string tree;                             ///< the working tree
  std::optional<std::string> git_dir;           ///< where git keeps it (the common directory)
  std::vector<std::string> scratch_candidates;  ///< folders for what copies change, best first; made when absent
  std::vector<std::string> sockets;             ///< named sockets, and folders of them, that stay in a private /tmp
  std::optional<std::string> temp_folder;       ///< unset: $TMPDIR
};

/// What probing found possible: a value, good for any number of copies at the same time.
struct IsolationPlan {
  Isolation isolation;  ///< what copies will really have
  TreeCopy tree_copy = TreeCopy::overlay;
  std::string tree;                  ///< absolute real path of the working tree
  std::vector<std::string> also;     ///< further folders treated like the tree: the git directory outside it
  std::string scratch;               ///< each copy gets a folder in it; empty: memory, inside the copy
  std::vector<std::string> notes;    ///< what cannot be isolated and why, one sentence each; names in it are raw
  std::vector<std::string> temps;    ///< folders that are private with `tmp`
  std::vector<std::string> sockets;  ///< what stays visible in them; absolute real paths
  bool user_namespace = false;       ///< without privileges: a user namespace makes the others possible
};

/// Finds out by really doing it, once, in processes that live for a moment; nothing stays behind. Never fails: what is
/// impossible is missing in the plan's isolation and named in its notes. An interrupt (where a source is given) ends it
/// with nothing isolated. Forks: no other thread of ours may run.
[[nodiscard]] IsolationPlan plan_isolation(const IsolationRequest& request, InterruptSource* interrupts = nullptr);

/// The sockets that a command may expect in /tmp: X11, ICE, and those that the environment names (SSH_AUTH_SOCK, a unix
/// DOCKER_HOST). Paths as given there.
[[nodiscard]] std::vector<std::string> sockets_of_environment();

/// `path` is `folder` or below it. Both absolute, without links and dots.
[[nodiscard]] bool is_within(std::string_view path, std::string_view folder);

}  // namespace flakestat::sys
