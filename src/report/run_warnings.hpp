// The warnings of a run, equal ones once, as pytest shows them.
#pragma once

#include <string>
#include <vector>

#include "model/run_event.hpp"

namespace flakestat::report {

/// Of each warning where it came up (every test, or from ten on only how often a file) and, indented, what it says. In
/// the order in which they came. Escaped; no empty line at the end.
[[nodiscard]] std::string warnings_text(const std::vector<RunWarning>& warnings);

}  // namespace flakestat::report
