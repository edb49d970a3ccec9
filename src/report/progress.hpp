// The live line of anything that takes longer than a second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/style.hpp"

namespace flakestat::report {

struct Progress {
  std::string_view noun = "run";
  std::uint64_t done = 0;
  std::uint64_t total = 0;               ///< 0: unknown
  std::optional<std::uint64_t> failing;  ///< tests that failed so far
  std::int64_t elapsed_ms = 0;           ///< since the start
};

/// `run 7/20  2 failing  10.3s/run  eta 1m12s`, cut to the look's width, without a line end. The caller rewrites the
/// line, on a terminal only.
[[nodiscard]] std::string progress_line(const Progress& progress, const text::Look& look);

}  // namespace flakestat::report
