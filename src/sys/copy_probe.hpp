// Trying out a copy of a folder, from within: what tests may do to their tree must work there as it does outside.
#pragma once

#include <string>

#include "base/result.hpp"

namespace flakestat::sys {

/// Makes, renames and removes a file, and a folder with one in it. Errors: the first thing that did not work.
[[nodiscard]] Result<void> try_changes(const std::string& folder);

/// Renames a folder that was there before, and back; nothing when there is none. An overlay may refuse with EXDEV.
[[nodiscard]] Result<void> try_folder_rename(const std::string& folder);

}  // namespace flakestat::sys
