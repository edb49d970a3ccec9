// Foreign text (names, messages, output) made harmless: one function per kind of output, used by every renderer.
// All results are valid UTF-8. Whatever is_hidden() lists is shown as `\x1b`, `\n`, `\u202e`; broken bytes as U+FFFD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flakestat::text {

/// One line for a terminal. Applying it twice changes nothing.
[[nodiscard]] std::string escape_terminal(std::string_view text);

/// Program output for a terminal: colour and cursor sequences removed whole, lines kept apart (also at a lone CR),
/// tabs as blanks, the rest as escape_terminal does. No empty line at the end.
[[nodiscard]] std::vector<std::string> terminal_lines(std::string_view text);

/// A Markdown code span, fenced so that nothing in it is markup, a mention or a link. Empty text gives an empty span.
[[nodiscard]] std::string escape_markdown_code(std::string_view text);

/// The same inside a table row, where a pipe would end the cell.
[[nodiscard]] std::string escape_markdown_cell(std::string_view text);

/// Text between tags.
[[nodiscard]] std::string escape_html_text(std::string_view text);

/// The value of an attribute in either kind of quotes.
[[nodiscard]] std::string escape_html_attribute(std::string_view text);

/// The message of a GitHub workflow command (`::error::MESSAGE`). Line ends are kept, as %0A.
[[nodiscard]] std::string escape_workflow_data(std::string_view text);

/// The value of a workflow command's property (`::error file=VALUE::`).
[[nodiscard]] std::string escape_workflow_property(std::string_view text);

/// The message behind an Azure Pipelines logging command (`##vso[area.action ...]MESSAGE`).
[[nodiscard]] std::string escape_azure_data(std::string_view text);

/// The value of a property inside the brackets of an Azure logging command.
[[nodiscard]] std::string escape_azure_property(std::string_view text);

/// A value between the quotes of a TeamCity service message. Everything beyond ASCII is written as `|0xNNNN`.
[[nodiscard]] std::string escape_teamcity(std::string_view text);

/// Text on its way to a CI system's log, already escaped for its kind: `##[`, `##vso[` and `##teamcity[`, which some
/// obey anywhere in a line, are broken (`\x23#[`). Applying it twice changes nothing.
[[nodiscard]] std::string defuse_log_commands(std::string_view text);

/// The same for text of many lines in the log of a workflow: a line that begins with `::` is broken as well
/// (`\x3a:error`), also behind blanks. Applying it twice changes nothing.
[[nodiscard]] std::string defuse_workflow_lines(std::string_view text);

/// The description or the reason of a TAP 14 test point: `#` and the backslash are escaped, so that it holds no
/// directive.
[[nodiscard]] std::string escape_tap(std::string_view text);

/// The text without ANSI escape sequences (CSI, OSC and other strings, two-byte escapes; 7-bit and 8-bit forms). A
/// sequence that never ends is left as it is. For readability only: the result still needs escaping.
[[nodiscard]] std::string strip_ansi(std::string_view text);

/// The text between single quotes, as one word of a POSIX shell: nothing in it is special.
[[nodiscard]] std::string shell_quoted(std::string_view text);

}  // namespace flakestat::text
