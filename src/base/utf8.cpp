#include "base/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace flakestat {
namespace {

/// What a lead byte promises: total size and the range that its second byte must lie in.
struct Lead {
  std::uint8_t size = 0;  ///< 0: no lead byte
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
};

Lead lead_of(std::uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {};
}

std::uint8_t byte_at(std::string_view text, std::size_t index) { return static_cast<std::uint8_t>(text[index]); }

}  // namespace

Utf8Step decode_utf8(std::string_view text) {
  const auto first = byte_at(text, 0);
  if (first < 0x80) return {first, 1, true};
  const Lead lead = lead_of(first);
  if (lead.size == 0) return {};
  auto code = static_cast<char32_t>(first & (0x7F >> lead.size));
  for (std::uint8_t i = 1; i < lead.size; ++i) {
    if (i >= text.size()) return {kReplacement, i, false};
    const auto byte = byte_at(text, i);
    if (byte < (i == 1 ? lead.low : 0x80) || byte > (i == 1 ? lead.high : 0xBF)) return {kReplacement, i, false};
    code = code << 6 | (byte & 0x3FU);
  }
  return {code, lead.size, true};
}

void append_utf8(std::string& out, char32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = kReplacement;
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::size_t printable_ascii_prefix(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighs = 0x8080808080808080U;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    const std::uint64_t del = word ^ kOnes * 0x7F;
    if (((((word - kOnes * 0x20) & ~word) | ((del - kOnes) & ~del) | word) & kHighs) != 0) break;
  }
  while (at < text.size() && text[at] >= ' ' && text[at] < 0x7F) ++at;
  return at;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto step = decode_utf8(text);
    if (!step.valid) return false;
    text.remove_prefix(step.size);
  }
  return true;
}

std::size_t incomplete_utf8_tail(std::string_view text) {
  const auto most = std::min<std::size_t>(3, text.size());
  for (std::size_t back = 1; back <= most; ++back) {
    const auto tail = text.substr(text.size() - back);
    const Lead lead = lead_of(byte_at(tail, 0));
    if (lead.size == 0) continue;
    const auto step = decode_utf8(tail);
    return !step.valid && step.size == back && back < lead.size ? back : 0;
  }
  return 0;
}

}  // namespace flakestat
