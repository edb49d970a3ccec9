#include "report/gate.hpp"
#include "report/gate_rows.hpp"
#include "report/report_table.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"
#include "text/table.hpp"

namespace flakestat::report {
namespace {

using text::Align;
using text::Tone;

std::string table_of(const GateRows& rows, const text::Look& look) {
  text::Table table({{"GATE", Align::left},
                     {"SCORE", Align::right},
                     {"LOWER", Align::right},
                     {"WAS", Align::right},
                     {"TEST", Align::left}});
  for (const auto& row : rows.rows) {
    table.add_row({{row.state, row.tone},
                   {row.score},
                   {row.lower},
                   {row.was},
                   {name_of(*row.item), Tone::plain, row.mark.before + row.mark.foreign + row.mark.after}});
  }
  return text::defuse_log_commands(table.render(look));
}

Tone tone_of(rules::Decision decision) {
  if (decision == rules::Decision::passed) return Tone::good;
  return decision == rules::Decision::undecided ? Tone::warning : Tone::bad;
}

void append_tests(std::string& out, std::string_view word, Tone tone, const std::vector<AcceptedTest>& tests,
                  const text::Look& look) {
  for (const auto& test : tests) {
    out += text::paint(word, tone, look.colour) + "  " + format_score(test.score) + "  " +
           text::defuse_log_commands(text::escape_terminal(display_name(test.suite, test.class_name, test.name))) +
           "\n";
  }
}

}  // namespace

std::string gate_text(const GateView& view) {
  const auto rows = gate_rows(view);
  std::string out = rows.rows.empty() ? "nothing new, worse or fixed\n" : table_of(rows, view.look);
  for (const auto& line : rows.left_out) out += line + "\n";
  out += "\n" + text::paint(gate_counts(view), Tone::strong, view.look.colour) + "\n";
  for (const auto& note : gate_notes(view)) out += text::defuse_log_commands(note_line(note));
  return out + text::paint(decision_sentence(view), tone_of(view.result.decision), view.look.colour) + "\n";
}

std::string baseline_change_text(const rules::BaselineChange& change, const std::string& path, const text::Look& look) {
  std::string out;
  append_tests(out, "added  ", Tone::warning, change.added, look);
  append_tests(out, "removed", Tone::good, change.removed, look);
  append_tests(out, "unseen ", Tone::faint, change.unseen, look);
  out += text::escape_terminal(path) + ": " + counted(change.baseline.tests.size(), "flaky test") + " accepted (" +
         std::to_string(change.added.size()) + " added, " + std::to_string(change.removed.size()) + " removed, " +
         std::to_string(change.kept.size()) + " kept)\n";
  if (!change.unseen.empty()) {
    out += counted(change.unseen.size(), "test") +
           " kept although nothing was seen of it: not run is not healthy; --prune drops such\n";
  }
  if (change.model_before != change.baseline.model && !change.model_before.empty()) {
    out += "scores are now of model " + change.baseline.model + ", before of " +
           text::escape_terminal(change.model_before) + "\n";
  }
  return out;
}

}  // namespace flakestat::report
