// The option tables as values.
#pragma once

#include <CLI/App.hpp>

#include "text/command_table.hpp"

namespace flakestat::cli {

/// The app and everything below it, hidden options and commands left out: what `-h` shows.
[[nodiscard]] text::CommandEntry command_table(const CLI::App& app);

}  // namespace flakestat::cli
