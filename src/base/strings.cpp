#include "base/strings.hpp"

#include <algorithm>
#include <utility>

namespace flakestat {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::size_t kLongestQuote = 80;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void append_escaped(std::string& out, char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out.append(1, '\\').append(1, c);
  } else if (byte < 0x20 || byte == 0x7f) {
    out.append("\\x").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
  } else {
    out.push_back(c);
  }
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  auto shown = text.substr(0, kLongestQuote);
  if (shown.size() < text.size()) {
    // Not inside a UTF-8 sequence.
    while (!shown.empty() && (static_cast<unsigned char>(text[shown.size()]) & 0xc0) == 0x80) shown.remove_suffix(1);
  }
  for (const char c : shown) append_escaped(out, c);
  out.append(shown.size() < text.size() ? "...\"" : "\"");
  return out;
}

Result<std::vector<std::string>> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (const char c : command) {
    if (c == '\0') return Error{ErrorKind::usage, "a command cannot hold a NUL character"};
    if (quote != 0) {
      if (c == quote) quote = 0;
      else word.push_back(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (kBlanks.find(c) == std::string_view::npos) {
      word.push_back(c);
      in_word = true;
    } else if (in_word) {
      words.push_back(std::exchange(word, {}));
      in_word = false;
    }
  }
  if (quote != 0)
    return Error{ErrorKind::usage, std::string("a ") + quote + " quote is not closed in command " + in_quotes(command)};
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace flakestat
