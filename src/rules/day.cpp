#include "rules/day.hpp"

#include <algorithm>
#include <charconv>

namespace flakestat::rules {
namespace {

unsigned number(std::string_view digits) {
  unsigned value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace

Day day_of(UnixMillis time) {
  return std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(time)));
}

std::optional<Day> parse_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i != 4 && i != 7 && (text[i] < '0' || text[i] > '9')) return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(number(text.substr(0, 4)))),
                                         std::chrono::month(number(text.substr(5, 2))),
                                         std::chrono::day(number(text.substr(8, 2)))};
  if (!date.ok()) return std::nullopt;
  return Day(date);
}

std::string format_day(Day day) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(day.time_since_epoch()).count();
  return format_utc(millis).substr(0, 10);
}

}  // namespace flakestat::rules
