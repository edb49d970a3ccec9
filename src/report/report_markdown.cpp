#include "report/notes.hpp"
#include "report/power.hpp"
#include "report/report.hpp"
#include "report/score_rows.hpp"
#include "report/summary.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kHeader =
    "| Verdict | Score | Lower | Confidence | Runs | Pass/Fail | Test |\n"
    "| --- | ---: | ---: | --- | ---: | ---: | --- |\n";

// `<0.001` must not open a tag.
std::string number_cell(const std::string& number) { return text::escape_html_text(number); }

void append_row(std::string& out, const ScoreRow& row) {
  for (const auto& cell :
       {row.verdict, number_cell(row.score), number_cell(row.lower), row.confidence, row.runs, row.pass_fail}) {
    out.append("| ").append(cell).append(" ");
  }
  out += "| ";
  if (row.member) out += "&nbsp;&nbsp;";
  out += text::escape_markdown_cell(row.test);
  if (!row.mark.empty()) out.append(" ").append(row.mark);
  out += " |\n";
}

void append_note(std::string& out, const Note& note) {
  out.append("- ").append(note.before);
  if (!note.foreign.empty()) out += text::escape_markdown_code(note.foreign);
  out.append(note.after).append("\n");
}

}  // namespace

std::string report_markdown(const stats::Scores& scores, const ReportOptions& options) {
  const auto selection = select_entries(scores.tests, options);
  std::string out = "**" + summary_line(count_verdicts(scores.tests)) + "**\n\n";
  if (selection.entries.empty()) {
    out += nothing_to_show(scores, options) + "\n";
  } else {
    out += kHeader;
    for (const auto& row : score_rows(selection)) append_row(out, row);
  }
  out += "\n";
  for (const auto& note : collect_notes(scores, selection, options)) append_note(out, note);
  append_note(out, {power_line(measure_power(scores.tests)), "", ""});
  return out;
}

}  // namespace flakestat::report
