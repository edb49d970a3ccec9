// A sentence with foreign text in it: each kind of output escapes those parts in its own way.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flakestat::report {

class Phrase {
 public:
  Phrase() = default;
  /// Our own words.
  Phrase(std::string_view own) { say(own); }
  Phrase(const std::string& own) { say(own); }
  Phrase(const char* own) { say(own); }

  Phrase& say(std::string_view own);
  /// Names, codes, messages: anything that was not written by us.
  Phrase& quote(std::string_view foreign);
  Phrase& add(const Phrase& other);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  /// One line for a terminal.
  [[nodiscard]] std::string terminal() const;
  /// Foreign parts as code spans.
  [[nodiscard]] std::string markdown() const;
  /// The same inside a table row.
  [[nodiscard]] std::string markdown_cell() const;
  /// As it is, for JSON.
  [[nodiscard]] std::string plain() const;

 private:
  struct Piece {
    std::string text;
    bool foreign = false;
  };
  std::vector<Piece> pieces_;
};

}  // namespace flakestat::report
