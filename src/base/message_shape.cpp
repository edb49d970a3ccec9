#include "base/message_shape.hpp"

#include <algorithm>

#include "base/clean_text.hpp"

namespace flakestat {
namespace {

constexpr std::size_t kShortestDigest = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word(char c) { return is_digit(c) || is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool is_path_char(char c) {
  return is_word(c) || c == '.' || c == '-' || c == '+' || c == '~' || c == '@' || c == '%' || c == '/' || c == '\\';
}

std::size_t run_length(std::string_view text, bool (*belongs)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
}

// Length of what `text` starts with by a form in which 0 stands for a digit, x for a hex digit; 0: it does not.
std::size_t form_length(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool fits = form[i] == '0' ? is_digit(text[i]) : form[i] == 'x' ? is_hex(text[i]) : text[i] == form[i];
    if (!fits) return 0;
  }
  return form.size();
}

// `10:00`, `10:00:05`, `10:00:05.123`.
std::size_t clock_length(std::string_view text) {
  std::size_t length = form_length(text, "00:00:00");
  if (length == 0) return form_length(text, "00:00");
  const auto rest = text.substr(length);
  if (rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && is_digit(rest[1])) {
    length += 1 + run_length(rest.substr(1), is_digit);
  }
  return length;
}

std::size_t zone_length(std::string_view text) {
  if (!text.empty() && text[0] == 'Z') return 1;
  for (const std::string_view form : {"+00:00", "-00:00", "+0000", "-0000"}) {
    if (const auto length = form_length(text, form); length > 0) return length;
  }
  return 0;
}

// A date, a time of day, or both.
std::size_t time_length(std::string_view text) {
  std::size_t length = form_length(text, "0000-00-00");
  if (length == 0) length = form_length(text, "0000/00/00");
  if (length == 0) {
    const auto clock = clock_length(text);
    return clock == 0 ? 0 : clock + zone_length(text.substr(clock));
  }
  const auto rest = text.substr(length);
  if (rest.empty() || (rest[0] != 'T' && rest[0] != ' ')) return length;
  const auto clock = clock_length(rest.substr(1));
  if (clock == 0) return length;
  length += 1 + clock;
  return length + zone_length(text.substr(length));
}

// Digits with separators between them (`1,234.5`, `127.0.0.1`) and an exponent.
std::size_t number_length(std::string_view text) {
  std::size_t at = run_length(text, is_digit);
  if (at == 0) return 0;
  const auto digit_at = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  while (at + 1 < text.size() && (text[at] == '.' || text[at] == ',') && digit_at(at + 1)) {
    at += 1 + run_length(text.substr(at + 1), is_digit);
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
    if (digit_at(at + 1 + sign)) at += 1 + sign + run_length(text.substr(at + 1 + sign), is_digit);
  }
  return at;
}

// `/a/b`, `./a`, `../a`, `~/a`, `C:\a`, or a relative path that ends in a file with an extension.
std::size_t path_length(std::string_view text) {
  std::size_t drive = 0;
  if (text.size() > 2 && is_letter(text[0]) && text[1] == ':' && (text[2] == '\\' || text[2] == '/')) drive = 2;
  std::size_t length = drive + run_length(text.substr(drive), is_path_char);
  while (length > drive && text[length - 1] == '.') --length;  // the end of a sentence
  const auto path = text.substr(0, length);
  const auto slash = path.find_last_of("/\\");
  if (slash == std::string_view::npos || length < 2) return 0;
  const bool rooted = drive > 0 || (path[0] == '/' && length > 1 && path[1] != '/') || path.starts_with("./") ||
                      path.starts_with("../") || path.starts_with("~/");
  if (rooted) return length;
  const auto dot = path.find('.', slash);
  return is_word(path[0]) && dot != std::string_view::npos && dot > slash + 1 && dot + 1 < length &&
                 is_letter(path[dot + 1])
             ? length
             : 0;
}

// A word of hex digits that holds a decimal one and ends where the word does.
std::size_t digest_length(std::string_view text) {
  const auto length = run_length(text, is_hex);
  if (length < kShortestDigest || (length < text.size() && is_word(text[length]))) return 0;
  return std::any_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), is_digit) &&
                 std::any_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), is_letter)
             ? length
             : 0;
}

struct Kind {
  std::size_t length = 0;
  std::string_view name;
};

// What begins here, where no word is under way.
Kind kind_at_start(std::string_view text) {
  if (const auto length = form_length(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"); length > 0)
    return {length, "<uuid>"};
  if (const auto length = time_length(text); length > 0) return {length, "<time>"};
  if (text.starts_with("0x") || text.starts_with("0X")) {
    if (const auto length = run_length(text.substr(2), is_hex); length > 0) return {2 + length, "<hex>"};
  }
  if (const auto length = path_length(text); length > 0) return {length, "<path>"};
  if (const auto length = digest_length(text); length > 0) return {length, "<hex>"};
  if (text.size() > 1 && text[0] == '-' && is_digit(text[1])) return {1 + number_length(text.substr(1)), "<n>"};
  return {};
}

class Shaper {
 public:
  explicit Shaper(std::string_view text) : text_(text) {}

  std::string shape() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const auto rest = text_.substr(at_);
    if (rest.starts_with("://")) {
      in_url_ = true;
      copy(3);
      return;
    }
    const char before = at_ == 0 ? ' ' : text_[at_ - 1];
    if (before == ' ' || before == '"' || before == '\'' || before == ')') in_url_ = false;
    if (!is_word(before) && !in_url_ && !is_path_char(before)) {
      if (const auto kind = kind_at_start(rest); kind.length > 0) {
        replace(kind);
        return;
      }
    }
    if (const auto length = number_length(rest); length > 0) replace({length, "<n>"});
    else copy(1);
  }

  void replace(const Kind& kind) {
    out_ += kind.name;
    at_ += kind.length;
  }

  void copy(std::size_t length) {
    out_ += text_.substr(at_, length);
    at_ += length;
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
  bool in_url_ = false;
};

}  // namespace

std::string message_shape(std::string_view message) {
  const std::string line = clean_line(message);
  return Shaper(line).shape();
}

}  // namespace flakestat
