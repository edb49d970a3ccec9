// `<dir>/whole_runs.json`: how many tests the last whole run of each command had, so that one which silently lost some
// is noticed. A cache: what cannot be read is as if it were not there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/timestamp.hpp"

namespace flakestat::store {

struct WholeRun {
  std::size_t tests = 0;
  std::string code;  ///< what it ran against: commit, or commit and digest
  UnixMillis ended = 0;
};

/// Of a command that ran in a folder (relative to the root of the repository).
struct WholeRunKey {
  std::string folder;
  std::vector<std::string> command;
};

/// Nothing: no such run is known. Never an error.
[[nodiscard]] std::optional<WholeRun> last_whole_run(const std::string& dir, const WholeRunKey& key);

/// Replaces what is known, under the directory's lock; keeps the newest 200 commands. Errors: io.
[[nodiscard]] Result<void> remember_whole_run(const std::string& dir, const WholeRunKey& key, const WholeRun& run);

}  // namespace flakestat::store
