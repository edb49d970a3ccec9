// A man page of one command, in the man macros of groff and mandoc.
#pragma once

#include <string>
#include <string_view>

#include "text/command_table.hpp"

namespace flakestat::text {

struct ManOptions {
  std::string version;  ///< `0.1.0`
  std::string date;     ///< `2026-08-17`; may be empty
};

/// Section 1. The program's own page lists its commands; a command's has its options and example.
[[nodiscard]] std::string man_page(const CommandEntry& command, const ManOptions& options);

/// `flakestat-report.1`
[[nodiscard]] std::string man_page_name(const CommandEntry& command);

/// Text that roff prints as it is: backslashes, hyphens, quotes, dots at the begin of a line, characters beyond ASCII
/// (broken bytes as U+FFFD). Line ends stay.
[[nodiscard]] std::string escape_roff(std::string_view text);

}  // namespace flakestat::text
