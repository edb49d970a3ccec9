// What all escaping functions share: a walk over code points that makes hidden ones visible.
#pragma once

#include <string>
#include <string_view>

#include "text/code_points.hpp"

namespace flakestat::text {

/// `digits` lower-case hex digits.
inline void append_hex(std::string& out, char32_t value, int digits) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[value >> shift & 15U];
}

/// `\n`, `\x1b`, `\u202e`, `\U000e0001`
inline void append_visible(std::string& out, char32_t value) {
  if (value == '\n') out += "\\n";
  else if (value == '\r') out += "\\r";
  else if (value == '\t') out += "\\t";
  else if (value <= 0xFF) append_hex(out += "\\x", value, 2);
  else if (value <= 0xFFFF) append_hex(out += "\\u", value, 4);
  else append_hex(out += "\\U", value, 8);
}

/// Walks the text: `replace` may write a code point in its own way (true), else it is made visible or copied.
template <class Replace>
std::string escape_with(std::string_view text, Replace replace) {
  std::string out;
  out.reserve(text.size() + 8);
  while (!text.empty()) {
    const auto point = next_code_point(text);
    if (replace(out, point.value)) {
    } else if (!point.valid) {
      append_utf8(out, kReplacement);
    } else if (is_hidden(point.value)) {
      append_visible(out, point.value);
    } else {
      out += text.substr(0, point.size);
    }
    text.remove_prefix(point.size);
  }
  return out;
}

}  // namespace flakestat::text
