// What the tests ran against: commit, code, branch and default branch, from flags, git and CI. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "env/ci.hpp"
#include "env/git.hpp"
#include "env/platform.hpp"

namespace flakestat::env {

/// What the user said; empty: nothing.
struct CodeFlags {
  std::string commit;
  std::string branch;
  std::string default_branch;         ///< --default-branch (or its variable)
  std::string config_default_branch;  ///< from the config file
};

struct CodeIdentity {
  std::string commit;
  std::string code;            ///< equals `commit` for a tree as committed; empty: each run is code of its own
  std::string branch;          ///< empty: not known
  std::string default_branch;  ///< empty: not known
  std::vector<std::string> notes;
};

/// commit: flag, else HEAD (what lies here is what ran, also where CI speaks of a merge commit), else CI.
/// code: commit, and `+digest` for a modified tree; a report read with --commit was made elsewhere and gets none. A
/// tree of which it is not known whether it is modified is code of its own: `commit+<run_id>`. branch: flag, else CI's
/// (checkouts there are detached), else git's. default branch: flag, config, CI, origin/HEAD, main or master.
[[nodiscard]] CodeIdentity identify_code(const CodeFlags& flags, Origin origin, const std::optional<CiRun>& ci,
                                         const GitState& git, const Result<std::optional<std::string>>& digest,
                                         const std::string& run_id);

}  // namespace flakestat::env
