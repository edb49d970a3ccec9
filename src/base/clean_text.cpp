#include "base/clean_text.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace flakestat {
namespace {

constexpr char kEscape = '\x1b';

bool in_range(char byte, unsigned low, unsigned high) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= low && value <= high;
}

/// Length of a control sequence's rest: parameters, intermediates, final byte. A byte that fits nowhere ends it.
std::size_t csi_rest(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && in_range(text[i], 0x30, 0x3F)) ++i;
  while (i < text.size() && in_range(text[i], 0x20, 0x2F)) ++i;
  return i < text.size() && in_range(text[i], 0x40, 0x7E) ? i + 1 : i;
}

/// Length of a string sequence's rest (OSC, DCS, ...): to BEL or ST; a line end or the text's end cuts it.
std::size_t string_rest(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\a') return i + 1;
    if (text[i] == '\n' || text[i] == '\r') return i;
    if (text[i] == kEscape) return i + 1 < text.size() && text[i + 1] == '\\' ? i + 2 : i;
    if (text[i] == '\xC2' && i + 1 < text.size() && text[i + 1] == '\x9C') return i + 2;
  }
  return text.size();
}

/// Length of the rest of a sequence whose introducer (`[`, `]`, `P`, ...) is the first byte of `text`.
std::size_t sequence_rest(std::string_view text) {
  if (text.empty()) return 0;
  switch (text[0]) {
    case '[': return 1 + csi_rest(text.substr(1));
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_': return 1 + string_rest(text.substr(1));
    default: break;
  }
  std::size_t i = 0;
  while (i < text.size() && in_range(text[i], 0x20, 0x2F)) ++i;
  return i < text.size() && in_range(text[i], 0x30, 0x7E) ? i + 1 : i;
}

/// Length of the escape sequence at the start of `text`; 0 when there is none.
std::size_t escape_length(std::string_view text) {
  if (text[0] == kEscape) return 1 + sequence_rest(text.substr(1));
  if (text[0] == '\xC2' && text.size() > 1) {
    if (text[1] == '\x9B') return 2 + csi_rest(text.substr(2));
    if (text[1] == '\x9D' || text[1] == '\x90' || text[1] == '\x98' || text[1] == '\x9E' || text[1] == '\x9F') {
      return 2 + string_rest(text.substr(2));
    }
  }
  if (text.starts_with("#x1B[") || text.starts_with("#x1b[")) return 5 + csi_rest(text.substr(5));
  return 0;
}

bool is_blank(char32_t code) {
  return code == ' ' || (code >= 9 && code <= 13) || code == 0x85 || code == 0xA0 || code == 0x2028 || code == 0x2029;
}

bool is_dropped(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F || code == 0xFEFF || code == 0xFFFE ||
         code == 0xFFFF;
}

bool breaks_name(char32_t code) {
  return (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || code == 0x7F || code == 0xFFFE ||
         code == 0xFFFF;
}

void append_visible(std::string& out, char32_t code) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += code > 0xFF ? "\\u" : "\\x";
  for (int shift = code > 0xFF ? 12 : 4; shift >= 0; shift -= 4) out.push_back(kHex[code >> shift & 15]);
}

/// Length of the run of visible ASCII at the start of `text`, `#` (pytest's `#x1B`) not included.
std::size_t visible_run(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && text[size] > ' ' && text[size] < 0x7F && text[size] != '#') ++size;
  return size;
}

}  // namespace

std::string clean_line(std::string_view text, std::size_t limit) {
  std::string out;
  bool blank_due = false;
  while (!text.empty()) {
    if (const auto run = visible_run(text); run > 0) {
      const std::size_t due = blank_due ? 1 : 0;
      if (out.size() + due >= limit) break;
      if (blank_due) out.push_back(' ');
      blank_due = false;
      const auto taken = std::min(run, limit - out.size());
      out += text.substr(0, taken);
      if (taken < run) break;
      text.remove_prefix(run);
      continue;
    }
    if (const auto escape = escape_length(text); escape != 0) {
      text.remove_prefix(escape);
      continue;
    }
    const auto step = decode_utf8(text);
    const auto piece = text.substr(0, step.size);
    text.remove_prefix(step.size);
    if (is_blank(step.code)) {
      blank_due = !out.empty();
      continue;
    }
    if (step.valid && is_dropped(step.code)) continue;
    const std::size_t size = (step.valid ? step.size : 3U) + (blank_due ? 1U : 0U);
    if (out.size() + size > limit) break;
    if (blank_due) out.push_back(' ');
    blank_due = false;
    if (step.valid) out += piece;
    else append_utf8(out, kReplacement);
  }
  return out;
}

bool is_clean_name(std::string_view text) {
  for (;;) {
    text.remove_prefix(printable_ascii_prefix(text));
    if (text.empty()) return true;
    const auto step = decode_utf8(text);
    if (!step.valid || breaks_name(step.code)) return false;
    text.remove_prefix(step.size);
  }
}

std::string clean_name(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const auto plain = printable_ascii_prefix(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return out;
    const auto step = decode_utf8(text);
    if (!step.valid) append_utf8(out, kReplacement);
    else if (breaks_name(step.code)) append_visible(out, step.code);
    else out += text.substr(0, step.size);
    text.remove_prefix(step.size);
  }
}

}  // namespace flakestat
