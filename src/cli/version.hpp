// Which flakestat this is.
#pragma once

#include <string>

namespace flakestat::cli {

/// `0.1.0`.
[[nodiscard]] std::string version();

/// The day of the commit, `2026-08-17`; empty when it was not built from a repository.
[[nodiscard]] std::string version_date();

/// `flakestat <version> (<commit>, <compiler>)`.
[[nodiscard]] std::string version_line();

}  // namespace flakestat::cli
