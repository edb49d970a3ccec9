// Counts what a document should not hold: broken UTF-8 and control characters, with the line of the first of each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flakestat::text {

/// Occurrences of one oddity.
struct Oddity {
  std::uint64_t count = 0;
  std::uint64_t first_line = 0;
};

/// Fed with consecutive pieces of a document.
class ByteSurvey {
 public:
  /// `line` is the line (from 1) on which `piece` begins; `non_ascii`, `control`: whether it may hold such bytes.
  void add(std::string_view piece, std::uint64_t line, bool non_ascii, bool control);
  /// The document has ended: a sequence that is still open is broken.
  void finish(std::uint64_t line);

  [[nodiscard]] const Oddity& broken_utf8() const { return broken_; }
  [[nodiscard]] const Oddity& control_characters() const { return control_; }

 private:
  void check_utf8(std::string_view piece, std::uint64_t line);
  void count_broken(std::string_view bytes, std::uint64_t line);
  void count_control(std::string_view piece, std::uint64_t line);

  Oddity broken_;
  Oddity control_;
  std::string open_;  ///< the begin of a sequence whose rest is in the next piece
};

}  // namespace flakestat::text
