// UTF-8 read one code point at a time, and which code points must not reach a reader's eyes as they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flakestat::text {

inline constexpr char32_t kReplacement = 0xFFFD;

/// A decoded code point and the bytes it took.
struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;
  bool valid = true;  ///< false: a byte that is no UTF-8, read as U+FFFD
};

/// The first code point of a text that is not empty. A broken sequence costs one byte.
[[nodiscard]] CodePoint next_code_point(std::string_view text);

/// Appends the code point in UTF-8.
void append_utf8(std::string& out, char32_t value);

/// True when every byte is printable ASCII: nothing to decode, measure or escape.
[[nodiscard]] bool is_plain_ascii(std::string_view text);

/// Code points that steer a terminal, break a line, reorder the text around them or cannot be seen at all: C0, DEL, C1,
/// the bidirectional controls, line and paragraph separators, zero-width spaces. Joiners that build emoji and letters
/// (U+200C, U+200D, variation selectors) are not among them.
[[nodiscard]] bool is_hidden(char32_t value);

}  // namespace flakestat::text
