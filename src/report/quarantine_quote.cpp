#include "report/quarantine_quote.hpp"

#include "text/json_writer.hpp"

namespace flakestat::report {
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

}  // namespace

std::string quote_re2(std::string_view text) { return quoted(text, "\\.+*?()|[]{}^$", true); }

std::string quote_javascript(std::string_view text) { return quoted(text, "\\^$.*+?()[]{}|/", true); }

std::string quote_perl_like(std::string_view text) { return quoted(text, "\\^$.*+?()[]{}|/#-", true); }

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
  text::JsonWriter json(text::JsonStyle::compact);
  auto out = json.value(text).finish();
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

}  // namespace flakestat::report
