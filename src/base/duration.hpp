// Durations as people write them: `90s`, `5m`, `1h30m`, `250ms`, `90d`; a bare number is seconds.
#pragma once

#include <chrono>
#include <string_view>

#include "base/result.hpp"

namespace flakestat {

/// Numbers (a decimal point is allowed) each with one of the units `ms s m h d w`, largest first, none twice; or a bare
/// number of seconds. Not negative, at most 100 years; parts of a millisecond are cut. Otherwise a usage error.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

}  // namespace flakestat
