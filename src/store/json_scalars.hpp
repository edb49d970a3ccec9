// Numbers and literals of a line, read leniently. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace flakestat::store {

/// `true`, `false`, `null`, or what looks like a number: anything else is a sign of damage.
[[nodiscard]] bool is_json_literal(std::string_view token);

/// Whole numbers, and others rounded; nothing for what is no number or beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> json_integer(std::string_view token);

/// Clamped to 0..2^31-1; 0 for what is no number.
[[nodiscard]] std::int32_t json_count(std::string_view token);

}  // namespace flakestat::store
