#include "text/completions.hpp"

#include "text/escape.hpp"

namespace flakestat::text {
namespace {

std::string words_of(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::vector<std::string> first_words(const CommandEntry& command) {
  std::vector<std::string> words;
  for (const auto& below : command.commands) words.push_back(below.path.back());
  for (const auto& option : command.options) {
    if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

// `'flakestat report --format'|'flakestat report --top'`
std::string patterns(const CommandEntry& command, const OptionEntry& option) {
  std::string out;
  for (const auto& name : option.names) {
    out += (out.empty() ? "" : " | ") + shell_quoted(joined_path(command) + " " + name);
  }
  return out;
}

void append_values(std::string& out, const CommandEntry& command) {
  for (const auto& option : command.options) {
    if (option.positional || option.value.empty() || option.optional_value) continue;
    out += "    " + patterns(command, option) + ")\n";
    if (!option.choices.empty()) {
      out += "      COMPREPLY=($(compgen -W " + shell_quoted(words_of(option.choices)) + " -- \"$cur\"))\n";
    }
    out += "      return ;;\n";
  }
}

constexpr const char* kHead = R"(# bash completion of flakestat: source it, or lay it into bash's completion folder.
_flakestat() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at='flakestat' i words=''
  COMPREPLY=()
  # bash cuts --flag=value at the sign.
  if [ "$cur" = '=' ]; then
    cur=''
  elif [ "$prev" = '=' ] && [ "$COMP_CWORD" -gt 2 ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    # What follows is somebody else's command.
    if [ "${COMP_WORDS[i]}" = '--' ]; then return; fi
    case "$at ${COMP_WORDS[i]}" in
)";

}  // namespace

std::string bash_completions(const CommandEntry& program) {
  std::string out = kHead;
  for_each_command(program, [&](const CommandEntry& command) {
    if (command.path.size() > 1)
      out += "      " + shell_quoted(joined_path(command)) + ") at=\"$at ${COMP_WORDS[i]}\" ;;\n";
  });
  out += "    esac\n  done\n  case \"$at $prev\" in\n";
  for_each_command(program, [&](const CommandEntry& command) { append_values(out, command); });
  out += "  esac\n  case \"$at\" in\n";
  for_each_command(program, [&](const CommandEntry& command) {
    out += "    " + shell_quoted(joined_path(command)) + ") words=" + shell_quoted(words_of(first_words(command))) +
           " ;;\n";
  });
  out += "  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n";
  // Without an answer of ours bash completes file names.
  return out + "complete -o default -F _flakestat flakestat\n";
}

}  // namespace flakestat::text
