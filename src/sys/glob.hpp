// File names from the command line: a literal path, or a pattern with a real `**`.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace flakestat::sys {

struct GlobResult {
  std::vector<std::string> paths;  ///< sorted by bytes, each once, spelled as the argument begins
  bool was_pattern = false;        ///< false: the argument is the name of a file that exists
  std::vector<std::string> notes;  ///< folders that could not be read
};

/// Expands one argument. A path that exists is itself, whatever brackets it holds. Else a pattern: `*`, `?`, `[...]`
/// inside a name, `{a,b}` anywhere, and `**` as a whole name for any number of folders, none included; `\` takes away a
/// character's meaning. It matches regular files (and links to them), never folders or pipes. Names with a leading dot
/// are matched only by a name in the pattern that begins with a dot too. `**` does not go through links to folders,
/// hence meets no cycle; a link that the pattern names or matches as a folder is followed. Every folder is read at most
/// once an alternative, with no recursion.
/// Errors: `missing` when a named file is not there and when a pattern matches nothing (never green by accident),
/// `usage` for a pattern over 4096 bytes or with too many alternatives.
/// Relative arguments are relative to `directory`; empty: the working directory. The result is spelled relative, too.
[[nodiscard]] Result<GlobResult> expand_glob(const std::string& argument, const std::string& directory = {});

}  // namespace flakestat::sys
