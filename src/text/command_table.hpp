// A program's commands and options as values: what completions and man pages are made of.
#pragma once

#include <string>
#include <vector>

namespace flakestat::text {

struct OptionEntry {
  std::vector<std::string> names;    ///< `-q`, `--quiet`; for a positional argument its name
  std::string value;                 ///< what it takes, `TEXT`; empty: a flag
  std::vector<std::string> choices;  ///< the only values that are allowed; empty: any
  std::string help;
  std::string group;  ///< the heading it stands under
  bool positional = false;
  bool optional_value = false;  ///< the value may be left out
  bool required = false;
  bool repeatable = false;
};

struct CommandEntry {
  std::vector<std::string> path;  ///< `flakestat`, `report`
  std::string help;
  std::string footer;
  std::vector<OptionEntry> options;  ///< positional arguments included
  std::vector<CommandEntry> commands;
};

/// `flakestat report`, or with another character between.
[[nodiscard]] std::string joined_path(const CommandEntry& command, char between = ' ');

/// Calls `visit` for the command and everything below it, parents first.
template <class Visit>
void for_each_command(const CommandEntry& command, const Visit& visit) {
  visit(command);
  for (const auto& below : command.commands) for_each_command(below, visit);
}

}  // namespace flakestat::text
