#include "text/man_page.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "text/code_points.hpp"

namespace flakestat::text {
namespace {

std::string bold(std::string_view text) { return "\\fB" + escape_roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escape_roff(text) + "\\fR"; }

// As it is: mandoc reads a day only with plain hyphens.
std::string day_of(std::string date) {
  std::erase_if(date, [](char c) { return c != '-' && (c < '0' || c > '9'); });
  return date;
}

// Characters that roff prints as others, or takes for its own.
const char* replacement(char32_t code) {
  switch (code) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    case '"': return "\\(dq";
    default: return nullptr;
  }
}

void append_code_point(std::string& out, const CodePoint& point) {
  if (const auto* known = replacement(point.value)) {
    out += known;
  } else if (point.value < 0x20 && point.value != '\n') {
    out += ' ';
  } else if (point.value < 0x7f) {
    out += static_cast<char>(point.value);
  } else {
    std::array<char, 16> name{};
    std::snprintf(name.data(), name.size(), "\\[u%04X]", static_cast<unsigned>(point.value));
    out += name.data();
  }
}

void append_option(std::string& out, const OptionEntry& option) {
  out += ".TP\n";
  for (const auto& name : option.names) out += (&name == option.names.data() ? "" : ", ") + bold(name);
  if (option.optional_value) out += "[=" + italic(option.value) + "]";
  else if (!option.value.empty() && !option.positional) out += " " + italic(option.value);
  out += "\n" + escape_roff(option.help) + "\n";
  if (option.choices.empty()) return;
  out += ".br\nOne of:";
  for (const auto& choice : option.choices) out += " " + bold(choice) + (&choice == &option.choices.back() ? "." : ",");
  out += "\n";
}

void append_options(std::string& out, const CommandEntry& command) {
  std::vector<std::string> groups;
  for (const auto& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  if (!groups.empty()) out += ".SH OPTIONS\n";
  for (const auto& group : groups) {
    if (groups.size() > 1) out += ".SS " + escape_roff(group) + "\n";
    for (const auto& option : command.options) {
      if (option.group == group) append_option(out, option);
    }
  }
}

void append_synopsis(std::string& out, const CommandEntry& command) {
  out += ".SH SYNOPSIS\n" + bold(joined_path(command)) + " [" + italic("options") + "]";
  if (!command.commands.empty()) out += " " + italic("command");
  for (const auto& option : command.options) {
    if (!option.positional) continue;
    const auto name = italic(option.names.front()) + (option.repeatable ? " ..." : "");
    out += " " + (option.required ? name : "[" + name + "]");
  }
  out += "\n";
}

void append_commands(std::string& out, const CommandEntry& command) {
  if (command.commands.empty()) return;
  out += ".SH COMMANDS\n";
  for (const auto& below : command.commands) {
    out += ".TP\n" + bold(below.path.back()) + "\n" + escape_roff(below.help) + ".\nSee " +
           bold(joined_path(below, '-')) + "(1).\n";
  }
}

// `Example:` and what is indented below it; other footers are text.
void append_footer(std::string& out, std::string_view footer) {
  constexpr std::string_view kExample = "Example:\n";
  if (footer.empty()) return;
  if (!footer.starts_with(kExample)) {
    out += ".PP\n" + escape_roff(footer) + "\n";
    return;
  }
  footer.remove_prefix(kExample.size());
  out += ".SH EXAMPLES\n.nf\n" + escape_roff(footer) + "\n.fi\n";
}

void append_see_also(std::string& out, const CommandEntry& command) {
  if (command.path.size() < 2) return;
  auto parent = command;
  parent.path.pop_back();
  out += ".SH \"SEE ALSO\"\n" + bold(joined_path(parent, '-')) + "(1)\n";
}

constexpr const char* kExitStatus =
    ".SH \"EXIT STATUS\"\n"
    "0 done; 1 the gate or the tests failed; 2 an accepted flake worsened; 64 usage; 65 damaged input;\n"
    "66 input or command missing; 70 internal; 74 input or output failed; 78 configuration.\n";

}  // namespace

std::string escape_roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  while (!text.empty()) {
    const auto point = next_code_point(text);
    if (line_begins && (point.value == '.' || point.value == '\'')) out += "\\&";
    line_begins = point.value == '\n';
    append_code_point(out, point);
    text.remove_prefix(point.size);
  }
  return out;
}

std::string man_page_name(const CommandEntry& command) { return joined_path(command, '-') + ".1"; }

std::string man_page(const CommandEntry& command, const ManOptions& options) {
  auto title = joined_path(command, '-');
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  std::string out = ".\\\" Generated from the option tables: flakestat man\n";
  out += ".TH \"" + escape_roff(title) + "\" 1 \"" + day_of(options.date) + "\" \"flakestat " +
         escape_roff(options.version) + "\" \"flakestat manual\"\n";
  out += ".SH NAME\n" + escape_roff(joined_path(command, '-')) + " \\- " + escape_roff(command.help) + "\n";
  append_synopsis(out, command);
  append_commands(out, command);
  append_options(out, command);
  append_footer(out, command.footer);
  out += kExitStatus;
  append_see_also(out, command);
  return out;
}

}  // namespace flakestat::text
