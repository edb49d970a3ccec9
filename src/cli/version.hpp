// What `flakestat --version` prints.
#pragma once

#include <string>

namespace flakestat::cli {

/// `flakestat <version> (<commit>, <compiler>)`.
[[nodiscard]] std::string version_line();

}  // namespace flakestat::cli
