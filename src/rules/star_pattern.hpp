// Patterns in which only `*` is special, as quarantine lists have them: names hold brackets and question marks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flakestat::rules {

/// Compiled once, matched often. Immutable, hence safe from any thread.
class StarPattern {
 public:
  explicit StarPattern(std::string_view pattern);

  /// Whether the whole `text` matches; `*` is any run of characters, none included. O(|pattern| + |text|), whatever
  /// they hold.
  [[nodiscard]] bool matches(std::string_view text) const;

  [[nodiscard]] bool has_star() const { return pieces_.size() > 1; }

  /// What every match begins with: the text before the first `*`.
  [[nodiscard]] const std::string& beginning() const { return pieces_.front().text; }

  /// What every match ends with: the text behind the last `*`.
  [[nodiscard]] const std::string& ending() const { return pieces_.back().text; }

 private:
  // A literal between two stars, with the table of Knuth, Morris and Pratt.
  struct Piece {
    std::string text;
    std::vector<std::size_t> border;
  };
  static Piece make_piece(std::string_view text);
  static std::size_t find_end(const Piece& piece, std::string_view text);

  std::vector<Piece> pieces_;  // one more than there are stars
};

}  // namespace flakestat::rules
