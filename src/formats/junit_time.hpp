// Durations and time stamps as reports spell them.
#pragma once

#include <optional>
#include <string_view>

#include "model/timestamp.hpp"

namespace flakestat::formats {

/// Seconds of a `time` attribute: `1.5`, `0,125`, `1,234.5`, `1.234,5`, `1'234.5`, `3.9e-05`, `PT0.1S`. A comma
/// followed by a dot groups thousands and the other way round; a single comma is a decimal comma; white space, U+00A0,
/// U+202F and `'` between digits group. Negative is 0; anything else is unknown (nothing), never 0.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

struct ReportStamp {
  UnixMillis time = 0;
  bool local = false;  ///< written without an offset, read as UTC

  friend bool operator==(const ReportStamp&, const ReportStamp&) = default;
};

/// ISO 8601 with `T`, blanks or both between date and time, fraction after dot or comma, `Z`, `UTC`, an offset or none;
/// `Mon, 30 Nov 2026 16:54:53 GMT` with or without the weekday; seconds or milliseconds since 1970. A bare date says no
/// start; years before 1990 are what programs write that do not know the time: nothing.
[[nodiscard]] std::optional<ReportStamp> parse_stamp(std::string_view text);

}  // namespace flakestat::formats
