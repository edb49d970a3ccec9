#include "store/json_scalars.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace flakestat::store {

bool is_json_literal(std::string_view token) {
  if (token.empty()) return false;
  const char first = token.front();
  if (first == '-' || (first >= '0' && first <= '9')) {
    return token.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  }
  return token == "true" || token == "false" || token == "null";
}

std::optional<std::int64_t> json_integer(std::string_view token) {
  std::int64_t value = 0;
  const auto* end = token.data() + token.size();
  const auto whole = std::from_chars(token.data(), end, value);
  if (whole.ec == std::errc{} && whole.ptr == end) return value;
  double real = 0;
  const auto parsed = std::from_chars(token.data(), end, real);
  if (parsed.ec != std::errc{} || parsed.ptr != end || !(std::abs(real) < 9e18)) return std::nullopt;
  return std::llround(real);
}

std::int32_t json_count(std::string_view token) {
  const auto value = json_integer(token).value_or(0);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace flakestat::store
