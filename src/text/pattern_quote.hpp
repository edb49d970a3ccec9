// Names made literal in each runner's own pattern language. Pure; a pattern made here matches its name and nothing
// else.
#pragma once

#include <string>
#include <string_view>

namespace flakestat::text {

/// Go's RE2, one part of a name.
[[nodiscard]] std::string quote_re2(std::string_view text);

/// A Go test's name for -run and -skip, which are matched level by level: `^TestA$/^x$`.
[[nodiscard]] std::string go_pattern(std::string_view name);

/// JavaScript's RegExp without the `u` flag. A blank matches any white space, since XML reports turn line ends into
/// blanks, and `\x1b` also the character that a report wrote like that. No raw line end: some command lines cut there.
[[nodiscard]] std::string quote_javascript(std::string_view text);

/// Ruby's and PCRE's expressions between slashes, with the same two liberties.
[[nodiscard]] std::string quote_perl_like(std::string_view text);

/// CMake's regular expressions, which know no braces and no escapes inside brackets.
[[nodiscard]] std::string quote_cmake(std::string_view text);

/// The text of a nextest `=` matcher.
[[nodiscard]] std::string quote_nextest(std::string_view text);

/// A Catch2 test name in a test specification.
[[nodiscard]] std::string quote_catch2(std::string_view text);

/// A Groovy string in single quotes, quotes included.
[[nodiscard]] std::string quote_groovy(std::string_view text);

/// A YAML scalar in double quotes, quotes included: valid whatever it holds; broken UTF-8 becomes U+FFFD.
[[nodiscard]] std::string quote_yaml(std::string_view text);

}  // namespace flakestat::text
