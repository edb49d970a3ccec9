#include "text/completions.hpp"

namespace flakestat::text {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// Holds when exactly this command has been typed.
std::string condition(const CommandEntry& command) {
  std::string out;
  for (std::size_t i = 1; i < command.path.size(); ++i) {
    out += (out.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + command.path[i]);
  }
  if (command.commands.empty()) return out;
  if (out.empty()) return "__fish_use_subcommand";
  out += "; and not __fish_seen_subcommand_from";
  for (const auto& below : command.commands) out += " " + below.path.back();
  return out;
}

void append_option(std::string& out, const std::string& when, const OptionEntry& option) {
  out += "complete -c flakestat -n " + fish_quoted(when);
  for (const auto& name : option.names) {
    if (name.starts_with("--")) out += " -l " + name.substr(2);
    else out += " -s " + name.substr(1);
  }
  if (!option.value.empty() && !option.optional_value) out += option.choices.empty() ? " -r" : " -x";
  if (!option.choices.empty()) {
    std::string choices;
    for (const auto& choice : option.choices) choices += (choices.empty() ? "" : " ") + choice;
    out += " -a " + fish_quoted(choices);
  }
  out += " -d " + fish_quoted(option.help) + "\n";
}

}  // namespace

std::string fish_completions(const CommandEntry& program) {
  std::string out =
      "# fish completion of flakestat: source it, or lay it into ~/.config/fish/completions as flakestat.fish.\n";
  for_each_command(program, [&](const CommandEntry& command) {
    const auto when = condition(command);
    for (const auto& below : command.commands) {
      out += "complete -c flakestat -f -n " + fish_quoted(when) + " -a " + fish_quoted(below.path.back()) + " -d " +
             fish_quoted(below.help) + "\n";
    }
    for (const auto& option : command.options) {
      if (!option.positional) append_option(out, when, option);
    }
  });
  return out;
}

}  // namespace flakestat::text
