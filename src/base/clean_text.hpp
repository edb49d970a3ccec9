// Text of unknown origin made fit for one line of a log, a table or a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flakestat {

/// The limit of `message` in the log (design, section 4).
inline constexpr std::size_t kMessageLimit = 1024;

/// One line of valid UTF-8 of at most `limit` bytes, cut at a character: ANSI escape sequences are removed whole (CSI,
/// OSC and the other string sequences, their 8-bit forms, pytest's visible `#x1B[...`; also when they are cut off),
/// runs of white space become one blank, other control characters and bidirectional overrides are dropped, broken UTF-8
/// becomes U+FFFD. No blank at either end.
[[nodiscard]] std::string clean_line(std::string_view text, std::size_t limit = kMessageLimit);

/// A name that is part of an identity: the text stays as it is (white space included), but what XML and terminals
/// cannot carry becomes visible and stays distinct: control characters `\x1b`, U+FFFE and U+FFFF `\ufffe`; broken UTF-8
/// becomes U+FFFD. Tab, line feed and carriage return stay. Idempotent.
[[nodiscard]] std::string clean_name(std::string_view text);

/// True when `clean_name` would change nothing.
[[nodiscard]] bool is_clean_name(std::string_view text);

}  // namespace flakestat
