#include "text/pattern_quote.hpp"

#include "base/strings.hpp"
#include "text/json_writer.hpp"

namespace flakestat::text {
namespace {

// A backslash before each of `special`; with `line_ends`, control characters that end a line by name.
std::string quoted(std::string_view text, std::string_view special, bool line_ends) {
  std::string out;
  out.reserve(text.size() + 8);
  for (const char c : text) {
    if (line_ends && c == '\n') out += "\\n";
    else if (line_ends && c == '\r') out += "\\r";
    else if (line_ends && c == '\0') out += "\\x00";
    else {
      if (special.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// Reports write a control character of a name as `\x1b` at best: the runner may know either.
bool is_visible_control(std::string_view text) {
  return text.size() >= 4 && text.starts_with("\\x") && (text[2] == '0' || text[2] == '1' || text[2] == '7') &&
         is_hex(text[3]);
}

// For expressions with escapes for white space and bytes. XML reports turn line ends and tabs of a name into blanks, so
// a blank stands for any white space.
std::string quoted_expression(std::string_view text, std::string_view special) {
  std::string out;
  while (!text.empty()) {
    if (is_visible_control(text)) {
      const auto code = text.substr(2, 2);
      out.append("(?:\\\\x").append(code).append("|\\x").append(code).append(")");
      text.remove_prefix(4);
      continue;
    }
    out += text.front() == ' ' ? "\\s" : quoted(text.substr(0, 1), special, true);
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace

std::string quote_re2(std::string_view text) { return quoted(text, "\\.+*?()|[]{}^$", true); }

std::string go_pattern(std::string_view name) {
  std::string out;
  for (const auto part : split(name, '/')) {
    if (!out.empty()) out += '/';
    out.append("^").append(quote_re2(part)).append("$");
  }
  return out;
}

std::string quote_javascript(std::string_view text) { return quoted_expression(text, "\\^$.*+?()[]{}|/"); }

std::string quote_perl_like(std::string_view text) { return quoted_expression(text, "\\^$.*+?()[]{}|/#-"); }

std::string quote_cmake(std::string_view text) { return quoted(text, "\\^$.*+?()[]|", false); }

std::string quote_nextest(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (c == '\\' || c == '/' || c == ')' || c == ',') (out += '\\') += c;
    else out += c;
  }
  return out;
}

std::string quote_catch2(std::string_view text) { return quoted(text, "\\,[]\"*~", false); }

std::string quote_groovy(std::string_view text) { return "'" + quoted(text, "\\'$", true) + "'"; }

std::string quote_yaml(std::string_view text) {
  // Every JSON string is a YAML scalar of the same value.
  JsonWriter json(JsonStyle::compact);
  auto out = json.value(text).finish();
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

}  // namespace flakestat::text
