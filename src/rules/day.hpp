// Calendar days in UTC, as quarantine lists write them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "model/timestamp.hpp"

namespace flakestat::rules {

using Day = std::chrono::sys_days;

/// The UTC day that a point in time lies in.
[[nodiscard]] Day day_of(UnixMillis time);

/// Exactly `2027-01-31`, a day that the calendar has; else nothing.
[[nodiscard]] std::optional<Day> parse_day(std::string_view text);

[[nodiscard]] std::string format_day(Day day);

}  // namespace flakestat::rules
