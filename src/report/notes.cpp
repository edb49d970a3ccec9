#include "report/notes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "report/words.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kMostOutages = 5;

Note plain(std::string text) { return {std::move(text), "", ""}; }

void note_left_out(std::vector<Note>& notes, const Selection& selection, const ReportOptions& options) {
  if (selection.beyond_top > 0) {
    const auto what = options.by_family ? counted(selection.beyond_top, "more family", "more families")
                                        : counted(selection.beyond_top, "more row");
    notes.push_back(plain(what + " left out by --top " + std::to_string(options.top.value_or(0))));
  }
  if (selection.below_severity > 0) {
    notes.push_back(plain(counted(selection.below_severity, "test") + " left out: lower bound under --threshold " +
                          format_score(options.severity.value_or(0))));
  }
}

void note_outages(std::vector<Note>& notes, std::vector<stats::Outage> outages) {
  std::sort(outages.begin(), outages.end(),
            [](const auto& a, const auto& b) { return std::tie(b.started, b.run_id) < std::tie(a.started, a.run_id); });
  const auto shown = std::min(outages.size(), kMostOutages);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& outage = outages[i];
    notes.push_back({"run ", outage.run_id,
                     ": " + std::to_string(outage.failures) + " of " + counted(outage.tests, "test") +
                         " failed; counted as an outage"});
  }
  if (shown < outages.size()) {
    notes.push_back(plain(counted(outages.size() - shown, "more run") + " counted as outages"));
  }
}

}  // namespace

std::vector<Note> collect_notes(const stats::Scores& scores, const Selection& selection, const ReportOptions& options) {
  std::vector<Note> notes;
  note_left_out(notes, selection, options);
  note_outages(notes, scores.outages);
  if (scores.duplicates > 0) {
    notes.push_back(plain(counted(scores.duplicates, "duplicate execution") + " counted once"));
  }
  return notes;
}

std::string nothing_to_show(const stats::Scores& scores, const ReportOptions& options) {
  if (scores.tests.empty()) return "no tests";
  return options.all ? "no test to show" : "no flaky, suspect or consistently failing test";
}

}  // namespace flakestat::report
