// UTF-8, one code point at a time. Everything here accepts any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace flakestat {

inline constexpr char32_t kReplacement = 0xFFFD;

/// One decoded step. `size` is never 0: of broken input it is the longest broken prefix (Unicode's "maximal subpart").
struct Utf8Step {
  char32_t code = kReplacement;
  std::uint8_t size = 1;
  bool valid = false;
};

/// Decodes the first code point of `text`, which must not be empty. Overlong forms, surrogates and values above
/// U+10FFFF are broken.
[[nodiscard]] Utf8Step decode_utf8(std::string_view text);

/// Appends a code point; what UTF-8 cannot hold (surrogates, above U+10FFFF) becomes U+FFFD.
void append_utf8(std::string& out, char32_t code);

/// Length of the run of printable ASCII (U+0020..U+007E) that `text` begins with.
[[nodiscard]] std::size_t printable_ascii_prefix(std::string_view text);

[[nodiscard]] bool is_valid_utf8(std::string_view text);

/// How many bytes at the end of `text` begin a sequence that is not complete yet (0..3).
[[nodiscard]] std::size_t incomplete_utf8_tail(std::string_view text);

}  // namespace flakestat
