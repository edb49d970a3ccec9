// A word as a shell takes it, and as a reader may see it: exact, and harmless on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flakestat::text {

/// The bare text where nothing in it is special to a shell, else in single quotes; with hidden characters
/// (code_points.hpp) or bytes that are no UTF-8 as `$'\033[31m'`, which bash, ksh, zsh and POSIX (2024) read back
/// exactly.
[[nodiscard]] std::string shell_word(std::string_view text);

/// Words with blanks between.
[[nodiscard]] std::string shell_words(const std::vector<std::string>& words);

}  // namespace flakestat::text
