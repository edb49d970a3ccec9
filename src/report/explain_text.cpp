#include <algorithm>

#include "report/explain.hpp"
#include "report/explain_reasons.hpp"
#include "report/explain_sections.hpp"
#include "report/explain_strip.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

constexpr std::size_t kUsualWidth = 80;

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::flaky:
    case Verdict::consistently_failing: return Tone::bad;
    case Verdict::suspect: return Tone::warning;
    case Verdict::stable: return Tone::good;
    case Verdict::insufficient_data:
    case Verdict::always_skipped: break;
  }
  return Tone::faint;
}

std::string head(const Explanation& found, const text::Look& look) {
  const auto& score = found.score;
  const auto name = text::escape_terminal(display_name(score));
  std::string out = text::paint(name, Tone::strong, look.colour) + "\n";
  out += "test_id " + to_hex(score.test_id);
  if (!score.file.empty()) out += ", file " + text::escape_terminal(score.file);
  out += "\n\n" + text::paint(verdict_line(found), tone_of(score.verdict), look.colour) + "\n";
  for (const auto& reason : explain_reasons(found)) out += "  " + reason.terminal() + "\n";
  return out;
}

std::string fact_lines(const Section& section) {
  std::size_t widest = 0;
  for (const auto& [label, fact] : section.facts) widest = std::max(widest, label.size());
  std::string out;
  for (const auto& [label, fact] : section.facts) {
    out += label + std::string(widest - label.size() + 2, ' ') + fact.terminal() + "\n";
  }
  return out;
}

std::string strip_text(const Strip& strip, const text::Look& look) {
  std::string out = text::paint("history", Tone::strong, look.colour);
  out += strip.shown < strip.total
             ? " (the newest " + std::to_string(strip.shown) + " of " + counted(strip.total, "execution") + ")"
             : " (" + counted(strip.total, "execution") + ")";
  out += ": " + strip.legend.terminal() + "\n";
  const std::size_t width = (look.width == 0 ? kUsualWidth : std::max<std::size_t>(look.width, 20)) - 2;
  for (const auto& lane : strip.lanes) {
    out += "  " + lane.context.terminal() + "\n";
    for (const auto& line : strip_lines(lane, width - 2, look.colour)) out += "    " + line + "\n";
  }
  if (strip.lanes_left_out > 0) out += "  " + counted(strip.lanes_left_out, "older context") + " not shown\n";
  for (const auto& line : strip.doubtful) out += "  " + line.terminal() + "\n";
  return out;
}

std::string indented(const std::string& lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const auto end = lines.find('\n', at);
    out.append("  ").append(lines, at, end - at).append("\n");
    at = end + 1;
  }
  return out;
}

std::string section_text(const Section& section, text::Look look) {
  std::string out = "\n" + text::paint(section.heading, Tone::strong, look.colour) + "\n";
  if (!section.table.rows.empty()) {
    text::Table table(section.table.columns);
    for (const auto& row : section.table.rows) {
      std::vector<text::Cell> cells;
      for (const auto& cell : row) cells.push_back({cell.plain()});
      table.add_row(std::move(cells));
    }
    if (look.width > 2) look.width -= 2;
    out += indented(table.render(look));
  }
  for (const auto& line : section.lines) out += "  " + line.terminal() + "\n";
  return out;
}

// No line may be a command to the CI system whose log this is: `##vso[` is one anywhere, `::error` at a line's start.
std::string harmless(const std::string& document) {
  std::string out;
  const auto text = text::defuse_log_commands(document);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const auto first = text.find_first_not_of(' ', at);
    if (first < end && text.compare(first, 2, "::") == 0) {
      out.append(text, at, first - at).append("\\x3a");
      at = first + 1;
    }
    out.append(text, at, end - at);
    at = end;
  }
  return out;
}

}  // namespace

std::string explain_text(const Explanation& found, const ExplainOptions& options) {
  std::string out = head(found, options.look) + "\n" + fact_lines(number_section(found)) + "\n";
  out += strip_text(make_strip(found.trace, options.history), options.look);
  for (const auto& section : evidence_sections(found)) out += section_text(section, options.look);
  out += "\n" + text::paint("next", Tone::strong, options.look.colour) + ": " + found.next.why.terminal() + "\n";
  if (!found.next.command.empty()) out += "  " + text::escape_terminal(quote_command(found.next.command)) + "\n";
  if (!found.next.tolerate.empty()) {
    out += "until it is fixed, report its failures without failing the build:\n  ";
    out += text::escape_terminal(quote_command(found.next.tolerate)) + "\n";
  }
  return harmless(out);
}

}  // namespace flakestat::report
