// The log commands of CI systems: foreign text inside them, and foreign text that looks like them.
#include "text/code_points.hpp"
#include "text/escape.hpp"
#include "text/escape_with.hpp"

namespace flakestat::text {
namespace {

// Azure's agent reads %AZP25 as a percent sign, so that a percent sign in a name cannot begin one of our own escapes.
bool append_azure_data(std::string& out, char32_t value) {
  switch (value) {
    case '%': out += "%AZP25"; return true;
    case '\r': out += "%0D"; return true;
    case '\n': out += "%0A"; return true;
    default: return false;
  }
}

void append_teamcity_unit(std::string& out, char32_t unit) {
  out += "|0x";
  append_hex(out, unit, 4);
}

bool append_teamcity(std::string& out, char32_t value) {
  switch (value) {
    case '|': out += "||"; return true;
    case '\'': out += "|'"; return true;
    case '[': out += "|["; return true;
    case ']': out += "|]"; return true;
    case '\n': out += "|n"; return true;
    case '\r': out += "|r"; return true;
    default: break;
  }
  if (value < 0x80 || is_hidden(value)) return false;
  if (value <= 0xFFFF) {
    append_teamcity_unit(out, value);
  } else {
    append_teamcity_unit(out, 0xD800 + ((value - 0x10000) >> 10U));
    append_teamcity_unit(out, 0xDC00 + ((value - 0x10000) & 0x3FFU));
  }
  return true;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::size_t kLongestCommand = 16;

// `##`, letters, `[`
bool starts_command(std::string_view text) {
  if (!text.starts_with("##")) return false;
  std::size_t at = 2;
  while (at < text.size() && at < kLongestCommand && is_letter(text[at])) ++at;
  return at < text.size() && text[at] == '[';
}

}  // namespace

std::string escape_azure_data(std::string_view text) { return escape_with(text, append_azure_data); }

std::string escape_azure_property(std::string_view text) {
  return escape_with(text, [](std::string& out, char32_t value) {
    if (value == ';') out += "%3B";
    else if (value == ']') out += "%5D";
    else return append_azure_data(out, value);
    return true;
  });
}

std::string escape_teamcity(std::string_view text) { return escape_with(text, append_teamcity); }

std::string defuse_log_commands(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#' && starts_command(text.substr(at))) out += "\\x23";
    else out += text[at];
  }
  return out;
}

std::string defuse_workflow_lines(std::string_view text) {
  const auto harmless = defuse_log_commands(text);
  std::string out;
  out.reserve(harmless.size());
  bool at_start = true;
  for (std::size_t i = 0; i < harmless.size(); ++i) {
    const char c = harmless[i];
    if (at_start && c == ':' && i + 1 < harmless.size() && harmless[i + 1] == ':') out += "\\x3a";
    else out += c;
    if (c == '\n' || c == '\r') at_start = true;
    // The blanks beyond ASCII are passed over as well.
    else if (c > ' ' && c < 0x7F) at_start = false;
  }
  return out;
}

std::string escape_tap(std::string_view text) {
  std::string out;
  for (const char c : escape_terminal(text)) {
    if (c == '#' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace flakestat::text
