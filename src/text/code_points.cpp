#include "text/code_points.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace flakestat::text {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 11> kHidden = {{
    {0x00, 0x1F},        // C0
    {0x7F, 0x9F},        // DEL, C1: U+009B is the 8-bit CSI
    {0x61C, 0x61C},      // Arabic letter mark
    {0x180E, 0x180E},    // Mongolian vowel separator
    {0x200B, 0x200B},    // zero-width space
    {0x200E, 0x200F},    // left-to-right and right-to-left mark
    {0x2028, 0x202E},    // line, paragraph separator; embeddings and overrides
    {0x2060, 0x206F},    // word joiner, invisible operators, isolates, deprecated format characters
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFF9, 0xFFFB},    // interlinear annotation
    {0xE0001, 0xE0001},  // language tag; the other tag characters spell flags
}};

}  // namespace

CodePoint next_code_point(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1, true};
  const auto size = static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size(), 4));
  utf8proc_int32_t value = 0;
  const auto used = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), size, &value);
  if (used <= 0) return {kReplacement, 1, false};
  return {static_cast<char32_t>(value), static_cast<std::size_t>(used), true};
}

void append_utf8(std::string& out, char32_t value) {
  std::array<utf8proc_uint8_t, 4> bytes;
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(value), bytes.data());
  for (utf8proc_ssize_t i = 0; i < size; ++i) out.push_back(static_cast<char>(bytes[static_cast<std::size_t>(i)]));
}

bool is_plain_ascii(std::string_view text) {
  bool plain = true;  // no early exit: the compiler makes vectors of this
  for (const char c : text) plain &= static_cast<unsigned char>(c - 0x20) < 0x7F - 0x20;
  return plain;
}

bool is_hidden(char32_t value) {
  return std::any_of(kHidden.begin(), kHidden.end(),
                     [value](Range range) { return value >= range.first && value <= range.last; });
}

}  // namespace flakestat::text
