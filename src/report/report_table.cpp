#include "report/report_table.hpp"

#include <utility>

#include "report/power.hpp"
#include "report/report.hpp"
#include "report/summary.hpp"
#include "text/escape.hpp"
#include "text/table.hpp"

namespace flakestat::report {
namespace {

using text::Align;
using text::Tone;

text::Table empty_table() {
  return text::Table({{"VERDICT", Align::left},
                      {"SCORE", Align::right},
                      {"LOWER", Align::right},
                      {"CONF", Align::left},
                      {"RUNS", Align::right},
                      {"PASS/FAIL", Align::right},
                      {"TEST", Align::left}});
}

void add_row(text::Table& table, ScoreRow row) {
  table.add_row({{std::move(row.verdict), row.tone},
                 {std::move(row.score)},
                 {std::move(row.lower)},
                 {std::move(row.confidence)},
                 {std::move(row.runs)},
                 {std::move(row.pass_fail)},
                 {(row.member ? "  " : "") + row.test, Tone::plain, std::move(row.mark)}});
}

}  // namespace

std::string score_table(const stats::Scores& scores, const Selection& selection, const ReportOptions& options) {
  if (selection.entries.empty()) return nothing_to_show(scores, options) + "\n";
  auto table = empty_table();
  for (auto& row : score_rows(selection)) add_row(table, std::move(row));
  return table.render(options.look);
}

std::string note_line(const Note& note) {
  return note.before + text::escape_terminal(note.foreign) + note.after + "\n";
}

std::string report_table(const stats::Scores& scores, const ReportOptions& options) {
  const auto selection = select_entries(scores.tests, options);
  std::string out = score_table(scores, selection, options);
  out += '\n';
  out += text::paint(summary_line(count_verdicts(scores.tests)), Tone::strong, options.look.colour) + "\n";
  for (const auto& note : collect_notes(scores, selection, options)) out += note_line(note);
  return out + power_line(measure_power(scores.tests)) + "\n";
}

}  // namespace flakestat::report
