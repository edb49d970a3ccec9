#include "model/timestamp.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace flakestat {
namespace {

using namespace std::chrono;

// Reads exactly `digits` decimal digits and advances; -1 when they are not there.
int take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return -1;
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char c = text[i];
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// `.123456` -> 123 ms; nothing there -> 0; -1 for a dot without digits.
int take_fraction(std::string_view& text) {
  if (text.empty() || (text.front() != '.' && text.front() != ',')) return 0;
  text.remove_prefix(1);
  int millis = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits < 3) millis = millis * 10 + (text[digits] - '0');
  }
  if (digits == 0) return -1;
  for (std::size_t i = digits; i < 3; ++i) millis *= 10;
  text.remove_prefix(digits);
  return millis;
}

// `Z`, `+02:00`, `-0700`, `+02` as the whole rest, in minutes.
std::optional<int> offset_minutes(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  const int hours = take_digits(text, 2);
  if (hours < 0 || hours > 23) return std::nullopt;
  if (text.empty()) return sign * hours * 60;
  take(text, ':');
  const int minutes = take_digits(text, 2);
  if (minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
  return sign * (hours * 60 + minutes);
}

}  // namespace

std::string format_utc(UnixMillis time) {
  const sys_time<milliseconds> point{milliseconds{time}};
  const auto days = floor<std::chrono::days>(point);
  const year_month_day date{days};
  const hh_mm_ss clock{point - days};
  std::array<char, 40> text;
  const int year = std::clamp(static_cast<int>(date.year()), 0, 9999);
  const int length =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", year,
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                    static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

std::optional<UnixMillis> parse_rfc3339(std::string_view text) {
  const int y = take_digits(text, 4);
  if (y < 0 || !take(text, '-')) return std::nullopt;
  const int m = take_digits(text, 2);
  if (m < 0 || !take(text, '-')) return std::nullopt;
  const int d = take_digits(text, 2);
  if (d < 0 || (!take(text, 'T') && !take(text, 't') && !take(text, ' '))) return std::nullopt;
  const int hour = take_digits(text, 2);
  if (hour < 0 || hour > 23 || !take(text, ':')) return std::nullopt;
  const int minute = take_digits(text, 2);
  if (minute < 0 || minute > 59 || !take(text, ':')) return std::nullopt;
  const int second = take_digits(text, 2);
  if (second < 0 || second > 60) return std::nullopt;
  const int millis = take_fraction(text);
  const auto offset = offset_minutes(text);
  if (millis < 0 || !offset) return std::nullopt;
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)}};
  if (!date.ok()) return std::nullopt;
  const auto point = sys_days{date} + hours{hour} + minutes{minute} + seconds{second} - minutes{*offset};
  return duration_cast<milliseconds>(point.time_since_epoch()).count() + millis;
}

}  // namespace flakestat
