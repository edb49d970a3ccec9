// Matching text against patterns with `*`, `?`, `[...]`, `{a,b}`. No file system here (sys/glob expands).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace flakestat {

/// Whether the whole `text` matches: `*` any characters (also `/` and `:`), `?` one character (UTF-8), `[a-z]`,
/// `[!a-z]`/`[^a-z]` one of a class, `\x` x itself; everything else is literal, an unclosed `[` too. Time O(|pattern| x
/// |text|) at worst, no recursion.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

/// What `--filter` means: the text is the pattern itself (names hold brackets), or it matches.
[[nodiscard]] inline bool filter_match(std::string_view pattern, std::string_view text) {
  return pattern == text || glob_match(pattern, text);
}

/// Whether a path matches a pattern segment by segment: like glob_match inside a segment, never across `/`; a segment
/// `**` is any number of segments, none included. Names with a leading dot match like others here.
[[nodiscard]] bool glob_match_path(std::string_view pattern, std::string_view path);

/// True when `pattern` holds an unescaped `*`, `?`, `[` or a `{` with its `}`.
[[nodiscard]] bool has_glob_magic(std::string_view pattern);

/// Every alternative of nested `{a,b}`, left to right; `{}` and `{a}` are literal. More than 4096 are a usage error.
[[nodiscard]] Result<std::vector<std::string>> expand_braces(std::string_view pattern);

/// The text that a pattern without magic stands for: escapes removed.
[[nodiscard]] std::string glob_unescape(std::string_view pattern);

/// A pattern that matches exactly `text`.
[[nodiscard]] std::string glob_escape(std::string_view text);

}  // namespace flakestat
