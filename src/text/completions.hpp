// Scripts by which shells complete a program's command line.
#pragma once

#include <string>
#include <string_view>

#include "text/command_table.hpp"

namespace flakestat::text {

/// For bash 3.2 and later. `--flag=value` and `--flag value` both complete; behind `--` it is file names.
[[nodiscard]] std::string bash_completions(const CommandEntry& program);

/// For zsh: to be sourced, or laid into a folder of $fpath as `_flakestat`.
[[nodiscard]] std::string zsh_completions(const CommandEntry& program);

[[nodiscard]] std::string fish_completions(const CommandEntry& program);

}  // namespace flakestat::text
