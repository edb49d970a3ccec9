// The parts of the table report that other text reports share.
#pragma once

#include <string>

#include "report/notes.hpp"
#include "report/score_rows.hpp"

namespace flakestat::report {

/// VERDICT SCORE LOWER CONF RUNS PASS/FAIL TEST and a row each; a sentence when there is no row.
[[nodiscard]] std::string score_table(const stats::Scores& scores, const Selection& selection,
                                      const ReportOptions& options);

/// One note as a terminal line, with its newline.
[[nodiscard]] std::string note_line(const Note& note);

}  // namespace flakestat::report
