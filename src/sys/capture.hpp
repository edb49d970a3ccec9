// Runs a short helper command (git) and captures what it says. Test commands go through sys::Child instead.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace flakestat::sys {

struct Captured {
  int exit_code = 0;  ///< 128 + signal when it was ended by one
  std::string output;
  bool truncated = false;
};

struct CaptureOptions {
  std::string directory;  ///< working directory; empty: ours
  std::chrono::milliseconds timeout{30'000};
  std::size_t output_limit = std::size_t{256} << 20;
  std::string input;  ///< fed on stdin; empty: /dev/null
};

/// argv without a shell, stderr to /dev/null, environment ours. A command that is not there is `missing`; one that
/// outlives its timeout is killed and is an io error.
[[nodiscard]] Result<Captured> capture(const std::vector<std::string>& argv, const CaptureOptions& options = {});

}  // namespace flakestat::sys
