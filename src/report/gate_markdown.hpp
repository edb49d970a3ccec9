// Pieces of Markdown that `check` and `ci-report` share.
#pragma once

#include <string>

#include "report/gate_rows.hpp"

namespace flakestat::report {

/// A table with its header, then what was left out; empty without rows.
[[nodiscard]] std::string markdown_rows(const GateRows& rows);

/// A list item.
[[nodiscard]] std::string markdown_note(const Note& note);

/// At most some hundred columns, cut in the middle; hidden characters made visible.
[[nodiscard]] std::string short_name(const std::string& name);

}  // namespace flakestat::report
