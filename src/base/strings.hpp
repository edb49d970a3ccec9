// Small helpers over text: trimming, ASCII case, splitting a command line.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/result.hpp"

namespace flakestat {

/// Without leading and trailing ASCII white space. A view into `text`.
[[nodiscard]] std::string_view trim(std::string_view text);

/// A-Z to a-z; other bytes stay.
[[nodiscard]] std::string ascii_lower(std::string_view text);

/// Equal but for the case of ASCII letters.
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b);

/// Splits at every `separator`; "a,,b" has three parts, "" one.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` in double quotes for a message: control characters, quotes and backslashes escaped, cut after 80 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Splits a command by blanks; single and double quotes keep blanks together and vanish. Nothing else is special: no
/// backslash, no variable, no pattern, no shell. `""` is an empty word. An open quote or a NUL is a usage error.
[[nodiscard]] Result<std::vector<std::string>> split_command(std::string_view command);

/// The number that the whole text is, as std::from_chars reads it: no blanks, no plus sign. Nothing when it is none, or
/// does not fit.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace flakestat
