// How the runs of a hunt went, in lines: what was cut short, what had no report, what was left behind.
#pragma once

#include <string>
#include <vector>

#include "report/hunt.hpp"

namespace flakestat::report {

/// `runs 3, 7: timed out; their process trees were ended` and its kind, escaped for a terminal. Ordinary ends (exit
/// codes) give no line.
[[nodiscard]] std::vector<std::string> describe_ends(const std::vector<HuntRun>& runs);

/// `exit 1`, `signal 9 (SIGKILL)`, `timed out`, ...
[[nodiscard]] std::string short_end(const HuntRun& run);

}  // namespace flakestat::report
