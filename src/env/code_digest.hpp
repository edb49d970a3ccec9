// What a modified tree holds beyond its commit, as 8 hex digits: `abc123+5f1e0c3a` (design, section 1, code).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "env/git.hpp"

namespace flakestat::env {

struct CodeDigestOptions {
  /// Paths that are results, not code: the state directory, report paths. Absolute or relative to `directory`; patterns
  /// as in base/glob (`**` included); a folder stands for all it holds.
  std::vector<std::string> exclude;
  bool untracked = true;  ///< false: only files that git tracks count
  std::string directory;  ///< what relative exclusions are relative to; empty: the working directory
};

/// The first 8 hex digits of a SHA-256 over the changed paths (names, modes, contents; symbolic links by their target;
/// submodules and nested repositories by their commit and their own changes), sorted. Nothing: the tree is as
/// committed. Equal trees on equal commits give equal digests, whatever the index says. Only regular files are opened;
/// big ones are streamed. Errors: io, when git or the tree cannot be read.
[[nodiscard]] Result<std::optional<std::string>> code_digest(const GitState& state, const CodeDigestOptions& options);

}  // namespace flakestat::env
