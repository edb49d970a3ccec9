// What the terminal is like, and whether output may be coloured or live.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace flakestat::sys {

/// Looks up one environment variable by name; the environment is never walked.
using EnvLookup = std::function<std::optional<std::string>(const char*)>;

/// getenv, as an EnvLookup.
[[nodiscard]] std::optional<std::string> env_value(const char* name);

[[nodiscard]] bool is_terminal(int fd);

/// Columns of the terminal behind `fd`; nothing when it is none or does not say.
[[nodiscard]] std::optional<int> terminal_columns(int fd);

/// Rows of the terminal behind `fd`; nothing when it is none or does not say.
[[nodiscard]] std::optional<int> terminal_rows(int fd);

/// Colour only on a terminal, never with --no-color, a non-empty NO_COLOR (no-color.org) or TERM=dumb.
[[nodiscard]] bool wants_colour(bool terminal, bool no_color_flag, const EnvLookup& lookup);

/// Whether a progress line may be redrawn in place: a terminal that can, and not with NO_COLOR (design, section 7).
[[nodiscard]] bool wants_live_progress(bool terminal, const EnvLookup& lookup);

/// Width to lay tables out for: the terminal's, else COLUMNS, else 80; at least 20.
[[nodiscard]] int layout_columns(std::optional<int> terminal, const EnvLookup& lookup);

}  // namespace flakestat::sys
