// The lines below a table: what was left out, discounted, dropped, and what could not have been seen.
#pragma once

#include <string>
#include <vector>

#include "report/selection.hpp"
#include "stats/scoring.hpp"

namespace flakestat::report {

/// A sentence around one piece of foreign text (a run id), which each kind of output escapes in its own way.
struct Note {
  std::string before;
  std::string foreign;
  std::string after;
};

/// Rows left out, then outages (the newest five), then duplicates. The summary line and the power line are not among
/// them: each renderer has its own place for those.
[[nodiscard]] std::vector<Note> collect_notes(const stats::Scores& scores, const Selection& selection,
                                              const ReportOptions& options);

/// What stands in place of a table without rows.
[[nodiscard]] std::string nothing_to_show(const stats::Scores& scores, const ReportOptions& options);

}  // namespace flakestat::report
