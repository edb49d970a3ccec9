// The history strip: one letter an execution, marks under those that disagree with their neighbour.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/explain.hpp"
#include "report/phrase.hpp"

namespace flakestat::report {

/// The letter of an execution: `P` passed, `F` failed, `-` skipped; `p` and `f` when it is doubtful.
[[nodiscard]] char strip_letter(const stats::Trace& trace, const stats::TracedExecution& execution);
/// Under it: `^` a flip, `!` a flip on the same code, else a blank.
[[nodiscard]] char strip_mark(stats::Mark mark);

/// The executions of one context, so that neighbours stand beside each other.
struct StripLane {
  Phrase context;
  std::string letters;
  std::string marks;
};

struct Strip {
  std::vector<StripLane> lanes;  ///< the one that ran last is the last
  std::size_t shown = 0;
  std::size_t total = 0;
  std::size_t lanes_left_out = 0;
  Phrase legend;                 ///< of what occurs in it
  std::vector<Phrase> doubtful;  ///< why `p` and `f` are
};

/// The newest `history` executions.
[[nodiscard]] Strip make_strip(const stats::Trace& trace, std::size_t history);

/// The lane as lines of at most `width` columns, letters and marks in turn, a blank between letters. `paint`: colours.
[[nodiscard]] std::vector<std::string> strip_lines(const StripLane& lane, std::size_t width, bool colour);

}  // namespace flakestat::report
