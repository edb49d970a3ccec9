#include "text/escape.hpp"

#include <algorithm>

#include "text/code_points.hpp"
#include "text/escape_with.hpp"

namespace flakestat::text {
namespace {

std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0;
  std::size_t current = 0;
  for (const char c : text) {
    current = c == wanted ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  return longest;
}

// A blank beside the fence is dropped by the reader when both sides have one; it also keeps a backtick off the fence.
bool needs_padding(std::string_view text) {
  const char first = text.front();
  const char last = text.back();
  return first == '`' || last == '`' || (first == ' ' && last == ' ' && text.find_first_not_of(' ') != text.npos);
}

std::string code_span(const std::string& text) {
  if (text.empty()) return "` `";
  const std::string fence(longest_run(text, '`') + 1, '`');
  const char* pad = needs_padding(text) ? " " : "";
  return fence + pad + text + pad + fence;
}

bool append_html(std::string& out, char32_t value) {
  switch (value) {
    case '&': out += "&amp;"; return true;
    case '<': out += "&lt;"; return true;
    case '>': out += "&gt;"; return true;
    case '"': out += "&quot;"; return true;
    case '\'': out += "&#39;"; return true;
    default: return false;
  }
}

bool append_workflow_data(std::string& out, char32_t value) {
  switch (value) {
    case '%': out += "%25"; return true;
    case '\r': out += "%0D"; return true;
    case '\n': out += "%0A"; return true;
    default: return false;
  }
}

}  // namespace

std::string escape_terminal(std::string_view text) {
  if (is_plain_ascii(text)) return std::string(text);
  return escape_with(text, [](std::string&, char32_t) { return false; });
}

std::vector<std::string> terminal_lines(std::string_view text) {
  std::vector<std::string> lines(1);
  char previous = 0;
  const std::string clean = strip_ansi(text);
  std::size_t start = 0;
  const auto finish_line = [&](std::size_t end) {
    lines.back() =
        escape_with(std::string_view(clean).substr(start, end - start), [](std::string& out, char32_t value) {
          if (value == '\t') out += "    ";
          return value == '\t';
        });
    lines.emplace_back();
    start = end + 1;
  };
  for (std::size_t i = 0; i < clean.size(); previous = clean[i++]) {
    if (clean[i] == '\n' && previous == '\r') start = i + 1;
    else if (clean[i] == '\n' || clean[i] == '\r') finish_line(i);
  }
  finish_line(clean.size());
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string escape_markdown_code(std::string_view text) { return code_span(escape_terminal(text)); }

std::string escape_markdown_cell(std::string_view text) {
  const std::string span = escape_markdown_code(text);
  std::string out;
  out.reserve(span.size());
  for (const char c : span) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string escape_html_text(std::string_view text) { return escape_with(text, append_html); }

std::string escape_html_attribute(std::string_view text) { return escape_with(text, append_html); }

std::string escape_workflow_data(std::string_view text) { return escape_with(text, append_workflow_data); }

std::string escape_workflow_property(std::string_view text) {
  return escape_with(text, [](std::string& out, char32_t value) {
    if (value == ':') out += "%3A";
    else if (value == ',') out += "%2C";
    else return append_workflow_data(out, value);
    return true;
  });
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out + "'";
}

}  // namespace flakestat::text
