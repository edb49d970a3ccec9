// ANSI escape sequences, recognised whole (ECMA-48, 5.4 and 5.6) so that no remnant of one is left in the text.
#include <algorithm>

#include "text/escape.hpp"

namespace flakestat::text {
namespace {

constexpr char kEscape = '\x1b';
// A real sequence is short; a stray introducer must not eat the rest of the output.
constexpr std::size_t kLongestSequence = 4096;

bool is_between(char c, char first, char last) { return c >= first && c <= last; }

// Parameters and intermediates up to the final byte; `at` is behind the introducer. 0: it never ends.
std::size_t csi_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_between(text[at], 0x20, 0x3F)) ++at;
  return at < text.size() && is_between(text[at], 0x40, 0x7E) ? at + 1 : 0;
}

// The 8-bit string terminator or another C1 control, in UTF-8.
bool is_c1(std::string_view text, std::size_t at) {
  return text[at] == '\xC2' && at + 1 < text.size() && is_between(text[at + 1], '\x80', '\x9F');
}

// A control string (OSC, DCS, SOS, PM, APC) up to BEL or ST. Any other control inside means that it is none; so every
// byte is looked at once, however many introducers there are.
std::size_t string_end(std::string_view text, std::size_t at) {
  const std::size_t limit = std::min(text.size(), at + kLongestSequence);
  for (; at < limit; ++at) {
    if (text[at] == '\a') return at + 1;
    if (text[at] == kEscape) return at + 1 < text.size() && text[at + 1] == '\\' ? at + 2 : 0;
    if (is_c1(text, at)) return text[at + 1] == '\x9C' ? at + 2 : 0;
    if (is_between(text[at], 0, 0x1F)) return 0;
  }
  return 0;
}

bool starts_string(char c) { return c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_'; }

// Behind ESC or its 8-bit form, with the 7-bit letter of the sequence's kind.
std::size_t body_end(std::string_view text, char kind, std::size_t at) {
  if (kind == '[') return csi_end(text, at);
  if (starts_string(kind)) return string_end(text, at);
  return at;
}

// ESC, intermediates, final byte: `ESC ( B`, `ESC 7`.
std::size_t plain_escape_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_between(text[at], 0x20, 0x2F)) ++at;
  return at < text.size() && is_between(text[at], 0x30, 0x7E) ? at + 1 : 0;
}

// The end of the sequence that starts at `at`, or 0 when none does.
std::size_t sequence_end(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return 0;
  const char next = text[at + 1];
  if (text[at] == kEscape) {
    if (next == '[' || starts_string(next)) return body_end(text, next, at + 2);
    return plain_escape_end(text, at + 1);
  }
  if (text[at] != '\xC2') return 0;
  switch (next) {
    case '\x9B': return body_end(text, '[', at + 2);
    case '\x9D': return body_end(text, ']', at + 2);
    case '\x90': return body_end(text, 'P', at + 2);
    case '\x98': return body_end(text, 'X', at + 2);
    case '\x9E': return body_end(text, '^', at + 2);
    case '\x9F': return body_end(text, '_', at + 2);
    default: return 0;
  }
}

}  // namespace

std::string strip_ansi(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = sequence_end(text, at);
    if (end == 0) out += text[at++];
    else at = end;
  }
  return out;
}

}  // namespace flakestat::text
