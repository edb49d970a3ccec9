#include "text/shell_word.hpp"

#include <algorithm>

#include "text/code_points.hpp"
#include "text/escape.hpp"

namespace flakestat::text {
namespace {

bool is_bare(std::string_view text) {
  static constexpr std::string_view kSafe = "-_./:=@%+,{}[]";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80 ||
           kSafe.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool is_showable(std::string_view text) {
  while (!text.empty()) {
    const auto point = next_code_point(text);
    if (!point.valid || is_hidden(point.value)) return false;
    text.remove_prefix(point.size);
  }
  return true;
}

// Octal, because three digits end the escape whatever follows.
void append_octal(std::string& out, unsigned char byte) {
  out += '\\';
  for (int shift = 6; shift >= 0; shift -= 3) out += static_cast<char>('0' + (byte >> shift & 7));
}

std::string dollar_quoted(std::string_view text) {
  std::string out = "$'";
  while (!text.empty()) {
    const auto point = next_code_point(text);
    const auto bytes = text.substr(0, point.size);
    if (!point.valid || is_hidden(point.value)) {
      for (const char byte : bytes) append_octal(out, static_cast<unsigned char>(byte));
    } else {
      if (point.value == '\\' || point.value == '\'') out += '\\';
      out += bytes;
    }
    text.remove_prefix(point.size);
  }
  return out + "'";
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!is_showable(text)) return dollar_quoted(text);
  return is_bare(text) ? std::string(text) : shell_quoted(text);
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ' ';
    out += shell_word(word);
  }
  return out;
}

}  // namespace flakestat::text
