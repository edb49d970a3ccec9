#include "base/byte_size.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>

#include "base/strings.hpp"

namespace flakestat {
namespace {

constexpr double kLimit = 1125899906842624.0;  // 2^50

std::optional<double> unit_size(std::string_view unit) {
  const auto name = ascii_lower(unit);
  if (name.empty() || name == "b") return 1;
  double size = 1;
  for (const char letter : std::string_view("kmgt")) {
    size *= 1024;
    const std::string prefix(1, letter);
    if (name == prefix || name == prefix + "b" || name == prefix + "ib") return size;
  }
  return std::nullopt;
}

std::optional<double> bytes_in(std::string_view text) {
  // from_chars would also read a sign, an exponent, "inf" and "nan".
  const auto digits = text.substr(0, text.find_first_not_of("0123456789."));
  const auto unit = unit_size(trim(text.substr(digits.size())));
  double value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  if (!unit || code != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value * *unit;
}

}  // namespace

Result<std::uint64_t> parse_byte_size(std::string_view text) {
  const auto bytes = bytes_in(trim(text));
  if (!bytes) return Error{ErrorKind::usage, in_quotes(text) + " is no size: write 64K, 10MB, 1G or plain bytes"};
  if (!(*bytes <= kLimit)) return Error{ErrorKind::usage, "size " + in_quotes(text) + " is larger than 1024T"};
  return static_cast<std::uint64_t>(std::floor(*bytes));
}

}  // namespace flakestat
