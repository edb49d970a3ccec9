#include "base/duration.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/strings.hpp"

namespace flakestat {
namespace {

struct Unit {
  std::string_view name;
  double millis;
};

// Largest first; "ms" stands before "m" and "s" would be cut out of it.
constexpr std::array<Unit, 6> kUnits = {
    {{"w", 604'800'000.0}, {"d", 86'400'000.0}, {"h", 3'600'000.0}, {"m", 60'000.0}, {"s", 1'000.0}, {"ms", 1.0}}};
constexpr double kLimit = 100.0 * 366 * 86'400'000;

std::optional<double> take_number(std::string_view& text) {
  // from_chars would also read a sign, an exponent, "inf" and "nan".
  const auto end = text.find_first_not_of("0123456789.");
  const auto digits = text.substr(0, end);
  double value = 0;
  const auto [stop, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  if (code != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
  text.remove_prefix(digits.size());
  return value;
}

std::optional<std::size_t> take_unit(std::string_view& text) {
  const auto name = text.substr(0, text.find_first_of("0123456789."));
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (name != kUnits[i].name) continue;
    text.remove_prefix(name.size());
    return i;
  }
  return std::nullopt;
}

std::optional<double> total_millis(std::string_view text) {
  double total = 0;
  std::size_t next_unit = 0;
  const bool bare = !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
  do {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    if (bare) return *number * 1000;
    const auto unit = take_unit(text);
    if (!unit || *unit < next_unit) return std::nullopt;
    next_unit = *unit + 1;
    total += *number * kUnits[*unit].millis;
  } while (!text.empty());
  return total;
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto total = total_millis(trim(text));
  if (!total) {
    return Error{ErrorKind::usage,
                 in_quotes(text) + " is no duration: write 90s, 5m, 1h30m, 250ms, 90d or plain seconds"};
  }
  if (!(*total <= kLimit)) return Error{ErrorKind::usage, "duration " + in_quotes(text) + " is longer than 100 years"};
  return std::chrono::milliseconds(std::llround(std::floor(*total + 1e-6)));
}

}  // namespace flakestat
