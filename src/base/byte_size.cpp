#include "base/byte_size.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/strings.hpp"

namespace flakestat {
namespace {

constexpr std::string_view kUnits = "kmgt";    // each 1024 times the one before
constexpr double kLimit = 1125899906842624.0;  // 1024 TiB: exact as a double, and far from the end of 64 bits

// How many times 1024 a unit stands for.
std::optional<int> power_of(std::string_view unit) {
  if (unit.empty() || unit == "b") return 0;
  const auto at = kUnits.find(unit.front());
  unit.remove_prefix(1);
  const bool known = at != std::string_view::npos && (unit.empty() || unit == "b" || unit == "ib");
  return known ? std::optional(static_cast<int>(at) + 1) : std::nullopt;
}

std::optional<double> size_of(std::string_view text) {
  // from_chars would also read a sign, an exponent, "inf" and "nan".
  const auto digits = text.substr(0, text.find_first_not_of("0123456789."));
  double value = 0;
  const auto [stop, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  if (code != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
  const auto power = power_of(ascii_lower(trim(text.substr(digits.size()))));
  return power ? std::optional(std::ldexp(value, *power * 10)) : std::nullopt;
}

}  // namespace

Result<std::uint64_t> parse_byte_size(std::string_view text) {
  const auto size = size_of(trim(text));
  if (!size) return Error{ErrorKind::usage, in_quotes(text) + " is no size: write 64K, 10MB, 1.5G or plain bytes"};
  if (!(*size <= kLimit)) return Error{ErrorKind::usage, "size " + in_quotes(text) + " is more than 1024 TiB"};
  return static_cast<std::uint64_t>(*size);
}

}  // namespace flakestat
