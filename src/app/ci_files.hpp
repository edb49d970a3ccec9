// Files that a CI system gives us to write to, or takes from us.
#pragma once

#include <string>

#include "app/world.hpp"
#include "base/result.hpp"

namespace flakestat::app {

/// Appends to the file named in GITHUB_STEP_SUMMARY; without the variable nothing happens. What would grow the file
/// beyond GitHub's 1 MiB is left out. Trouble is a warning: a summary never changes a decision.
void append_step_summary(const World& world, const std::string& markdown);

/// Replaces a file that the user named, as a whole.
[[nodiscard]] Result<void> write_document(const std::string& path, const std::string& content);

}  // namespace flakestat::app
