// Files that a CI system gives us to write to, or takes from us.
#pragma once

#include <string>

#include "app/world.hpp"

namespace flakestat::app {

/// Appends to the file named in GITHUB_STEP_SUMMARY; without the variable nothing happens. What would grow the file
/// beyond GitHub's 1 MiB is left out. Trouble is a warning: a summary never changes a decision.
void append_step_summary(const World& world, const std::string& markdown);

}  // namespace flakestat::app
