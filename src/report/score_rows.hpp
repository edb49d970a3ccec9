// The cells that every view of a scored test shows, before escaping.
#pragma once

#include <string>
#include <vector>

#include "report/selection.hpp"
#include "text/style.hpp"

namespace flakestat::report {

struct ScoreRow {
  std::string verdict;
  std::string score;
  std::string lower;
  std::string confidence;
  std::string runs;
  std::string pass_fail;
  std::string test;     ///< display name, foreign text
  std::string mark;     ///< `(framework-reported)`, `(3 tests: ...)` or empty
  bool member = false;  ///< belongs under the family row above it
  text::Tone tone = text::Tone::plain;
};

/// The rows of the entries in order; a family of several tests gets a row of its own above its members.
[[nodiscard]] std::vector<ScoreRow> score_rows(const Selection& selection);

}  // namespace flakestat::report
