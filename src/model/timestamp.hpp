// Points in time: milliseconds since 1970-01-01T00:00:00Z.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flakestat {

using UnixMillis = std::int64_t;

/// `2026-08-17T10:00:00.123Z`; always milliseconds, always UTC. Years outside 0..9999 are clamped.
[[nodiscard]] std::string format_utc(UnixMillis time);

/// The log's own form and RFC 3339 relatives: date, `T` or blank, time, optional fraction (any digits, cut to ms), then
/// `Z` or an offset (`-07:00`, `+0200`). Without either: nothing. Allocation-free, for a line a time.
[[nodiscard]] std::optional<UnixMillis> parse_rfc3339(std::string_view text);

}  // namespace flakestat
