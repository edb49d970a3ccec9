#include "report/explain.hpp"
#include "report/explain_reasons.hpp"
#include "report/explain_sections.hpp"
#include "report/explain_strip.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kStripWidth = 79;

std::string line_item(const Phrase& phrase) { return "- " + phrase.markdown() + "\n"; }

std::string table_markdown(const SectionTable& table) {
  std::string titles = "|";
  std::string rule = "|";
  for (const auto& column : table.columns) {
    titles += " " + column.title + " |";
    rule += column.align == text::Align::right ? " ---: |" : " --- |";
  }
  std::string out = titles + "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const auto& cell : row) out += " " + cell.markdown_cell() + " |";
    out += "\n";
  }
  return out + "\n";
}

std::string strip_markdown(const Strip& strip) {
  std::string out = "**history** (" + std::to_string(strip.shown) + " of " + counted(strip.total, "execution") + ")";
  if (!strip.legend.empty()) out += ": " + strip.legend.markdown();
  out += "\n\n";
  for (const auto& lane : strip.lanes) {
    out += lane.context.markdown() + "\n\n```text\n";
    for (const auto& line : strip_lines(lane, kStripWidth, false)) out += line + "\n";
    out += "```\n\n";
  }
  if (strip.lanes_left_out > 0) out += "- " + counted(strip.lanes_left_out, "older context") + " not shown\n";
  for (const auto& line : strip.doubtful) out += line_item(line);
  if (strip.lanes_left_out > 0 || !strip.doubtful.empty()) out += "\n";
  return out;
}

std::string section_markdown(const Section& section) {
  std::string out = "**" + section.heading + "**\n\n";
  if (!section.table.rows.empty()) out += table_markdown(section.table);
  for (const auto& line : section.lines) out += line_item(line);
  return section.lines.empty() ? out : out + "\n";
}

}  // namespace

std::string explain_markdown(const Explanation& found, const ExplainOptions& options) {
  const auto& score = found.score;
  std::string out = "### ";
  out += text::escape_markdown_code(display_name(score)) + "\n\n";
  out += "test_id " + text::escape_markdown_code(to_hex(score.test_id));
  if (!score.file.empty()) out += ", file " + text::escape_markdown_code(score.file);
  out += "\n\n**" + text::escape_html_text(verdict_line(found)) + "**\n\n";
  for (const auto& reason : explain_reasons(found)) out += line_item(reason);
  out += "\n";
  for (const auto& [label, fact] : number_section(found).facts) out += "- " + label + ": " + fact.markdown() + "\n";
  out += "\n" + strip_markdown(make_strip(found.trace, options.history));
  for (const auto& section : evidence_sections(found)) out += section_markdown(section);
  out += "**next**: " + found.next.why.markdown() + "\n";
  if (!found.next.command.empty()) out += "\n" + text::escape_markdown_code(quote_command(found.next.command)) + "\n";
  if (!found.next.tolerate.empty()) {
    out += "\nuntil it is fixed, report its failures without failing the build:\n\n";
    out += text::escape_markdown_code(quote_command(found.next.tolerate)) + "\n";
  }
  return text::defuse_log_commands(out);
}

}  // namespace flakestat::report
