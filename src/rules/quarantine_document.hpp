// The text of a quarantine list: every line kept byte by byte, the entries among them understood (docs/quarantine.md).
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/day.hpp"

namespace flakestat::rules {

/// One entry: what it names, and what stands after ` # `.
struct QuarantineEntry {
  std::string pattern;  ///< a framework's id, a display name or a test_id; only `*` is special
  std::string owner;
  std::string reason;
  std::optional<Day> added;
  std::optional<Day> expires;                             ///< the last day on which the entry excuses
  std::vector<std::pair<std::string, std::string>> when;  ///< dimensions that must all hold; `*` in values is special
  std::size_t line = 0;                                   ///< from 1

  [[nodiscard]] bool expired_on(Day today) const { return expires && *expires < today; }
};

/// Something wrong with one line.
struct ListProblem {
  std::size_t line = 0;
  std::string message;
};

struct ListLine {
  std::string text;  ///< its line end included
  std::optional<QuarantineEntry> entry;
};

/// A list, line by line. `text` gives back the bytes that were read, but for the lines that were edited.
struct QuarantineDocument {
  std::vector<ListLine> lines;
  std::vector<ListProblem> problems;  ///< lines that are no entry, no comment and not blank

  [[nodiscard]] std::string text() const;
  /// Adds an entry at the end, with the line end that the list has.
  void append(const std::string& line);
};

/// Reads any bytes. A byte order mark and CR LF line ends are fine.
[[nodiscard]] QuarantineDocument read_quarantine_document(std::string_view text);

/// The entry as a line without its end. Line ends in values become blanks.
[[nodiscard]] std::string entry_line(const QuarantineEntry& entry);

/// Whether an entry of this text would mean exactly this name: no `*`, nothing that reads as a comment, no character
/// that an editor would not show.
[[nodiscard]] bool can_be_entry(std::string_view name);

}  // namespace flakestat::rules
