#include "text/xml_writer.hpp"

#include "base/clean_text.hpp"

namespace flakestat::text {
namespace {

std::string_view escape_of(char byte, bool attribute) {
  switch (byte) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '\r': return "&#13;";
    case '"': return attribute ? "&quot;" : "";
    case '\n': return attribute ? "&#10;" : "";
    case '\t': return attribute ? "&#9;" : "";
    default: return "";
  }
}

void append_escaped(std::string& out, std::string_view text, bool attribute) {
  const std::string clean = is_clean_name(text) ? std::string() : clean_name(text);
  if (!clean.empty()) text = clean;
  for (const char byte : text) {
    const auto escape = escape_of(byte, attribute);
    if (escape.empty()) out.push_back(byte);
    else out += escape;
  }
}

}  // namespace

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  out.push_back(' ');
  out += name;
  out += "=\"";
  append_escaped(out, value, true);
  out.push_back('"');
}

void append_content(std::string& out, std::string_view text) { append_escaped(out, text, false); }

}  // namespace flakestat::text
