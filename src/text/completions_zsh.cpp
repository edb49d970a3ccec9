#include "text/completions.hpp"

#include "text/escape.hpp"

namespace flakestat::text {
namespace {

// Inside `[...]` and `:...:` of _arguments.
std::string in_spec(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string function_name(const CommandEntry& command) {
  auto name = "_" + joined_path(command, '_');
  for (auto& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

std::string value_spec(const OptionEntry& option) {
  if (option.value.empty()) return {};
  std::string spec = option.optional_value ? "::" : ":";
  spec += in_spec(option.value);
  if (option.choices.empty()) return spec + ":_files";
  spec += ":(";
  for (const auto& choice : option.choices) spec += (&choice == option.choices.data() ? "" : " ") + choice;
  return spec + ")";
}

// A line of _arguments for each name; the names of one option exclude each other, unless it may be repeated.
void append_option(std::string& out, const OptionEntry& option) {
  std::string excluded;
  for (const auto& name : option.names) excluded += (excluded.empty() ? "" : " ") + name;
  for (const auto& name : option.names) {
    std::string spec = option.repeatable ? "*" : "(" + excluded + ")";
    spec += name;
    // `--flag=value` and `--flag value`; with an optional value only the former is one.
    if (!option.value.empty() && name.starts_with("--")) spec += option.optional_value ? "=-" : "=";
    spec += "[" + in_spec(option.help) + "]" + value_spec(option);
    out += "    " + shell_quoted(spec) + " \\\n";
  }
}

void append_commands(std::string& out, const CommandEntry& command) {
  out += "    '1: :->command' \\\n    '*:: :->rest' && return 0\n";
  out += "  case $state in\n    command)\n      commands=(\n";
  for (const auto& below : command.commands)
    out += "        " + shell_quoted(in_spec(below.path.back()) + ":" + below.help) + "\n";
  out += "      )\n      _describe -t commands command commands ;;\n    rest)\n      case $words[1] in\n";
  for (const auto& below : command.commands)
    out += "        " + below.path.back() + ") " + function_name(below) + " ;;\n";
  out += "      esac ;;\n  esac\n";
}

void append_function(std::string& out, const CommandEntry& command) {
  out += function_name(command) + "() {\n";
  if (!command.commands.empty()) {
    out += "  local context state state_descr line\n  local -a commands\n  typeset -A opt_args\n  _arguments -C \\\n";
  } else {
    out += "  _arguments \\\n";
  }
  for (const auto& option : command.options) {
    if (!option.positional) append_option(out, option);
  }
  if (!command.commands.empty()) append_commands(out, command);
  else out += "    '*: :_files'\n";
  out += "}\n\n";
}

}  // namespace

std::string zsh_completions(const CommandEntry& program) {
  std::string out =
      "#compdef flakestat\n# zsh completion of flakestat: source it, or lay it into a folder of $fpath as "
      "_flakestat.\n\n";
  for_each_command(program, [&](const CommandEntry& command) { append_function(out, command); });
  return out +
         "if [ \"$funcstack[1]\" = '_flakestat' ]; then\n  _flakestat \"$@\"\nelse\n  compdef _flakestat "
         "flakestat\nfi\n";
}

}  // namespace flakestat::text
