// Files of an ended copy, seen and taken from outside.
#pragma once

#include <string>

#include "base/result.hpp"

namespace flakestat::sys {

/// Where `path` (absolute) really is for processes whose root folder is `root`: links are followed as they would follow
/// them, absolute ones from that root (an open of root + path would follow those from ours). The answer is again a path
/// as they see it, without links; names that do not exist stay as they are. Errors: `io` for too many links.
[[nodiscard]] Result<std::string> real_path_in(const std::string& root, const std::string& path);

/// Copies a file, a link or a folder with all in it from `source` to `target`, over what is there, with modes and
/// times. Links are copied as links on both sides, never followed. Errors: `missing`, `io` (sockets and devices among
/// them).
[[nodiscard]] Result<void> copy_entry(const std::string& source, const std::string& target);

}  // namespace flakestat::sys
