// What is known beforehand about a command that makes a hunt measure less than it seems to. Pure.
#pragma once

#include <string>
#include <vector>

namespace flakestat::run {

/// One line a finding: results answered from a cache, tasks that are not run again.
[[nodiscard]] std::vector<std::string> hunt_advice(const std::vector<std::string>& command);

}  // namespace flakestat::run
