#include "report/gate_markdown.hpp"
#include "report/gate.hpp"
#include "text/escape.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

// Names may be kilobytes long, in few columns too; a job summary may be 1 MiB and a comment 64 KiB.
constexpr std::size_t kNameColumns = 200;
constexpr std::size_t kNameBytes = 1000;

constexpr std::string_view kHeader = "| Gate | Score | Lower | Was | Test |\n| --- | ---: | ---: | ---: | --- |\n";

std::string number_cell(const std::string& number) { return text::escape_html_text(number); }

}  // namespace

std::string markdown_rows(const GateRows& rows) {
  if (rows.rows.empty()) return {};
  std::string out(kHeader);
  for (const auto& row : rows.rows) {
    out += "| " + row.state + " | " + number_cell(row.score) + " | " + number_cell(row.lower) + " | " +
           number_cell(row.was) + " | " + text::escape_markdown_cell(short_name(name_of(*row.item)));
    if (!row.mark.before.empty()) {
      out += " " + row.mark.before;
      if (!row.mark.foreign.empty()) out += text::escape_markdown_cell(short_name(row.mark.foreign));
      out += row.mark.after;
    }
    out += " |\n";
  }
  for (const auto& line : rows.left_out) out += "\n" + line + "\n";
  return out + "\n";
}

std::string markdown_note(const Note& note) {
  std::string out = "- " + note.before;
  if (!note.foreign.empty()) out += text::escape_markdown_code(short_name(note.foreign));
  return out + note.after + "\n";
}

std::string short_name(const std::string& name) {
  auto shown = text::truncate(text::escape_terminal(name), kNameColumns, text::Elide::middle);
  if (shown.size() > kNameBytes) {
    std::size_t end = kNameBytes;
    while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) --end;
    shown = shown.substr(0, end) + "\xE2\x80\xA6";
  }
  return text::defuse_log_commands(shown);
}

std::string gate_markdown(const GateView& view) {
  std::string out = "**" + decision_sentence(view) + "**\n\n" + gate_counts(view) + "\n\n";
  out += markdown_rows(gate_rows(view));
  for (const auto& note : gate_notes(view)) out += markdown_note(note);
  return out;
}

std::string gate_annotations(const GateView& view) {
  std::string out;
  for (const auto kind : {GateKind::worse, GateKind::new_flaky, GateKind::unproven, GateKind::sanitised}) {
    const std::string command = is_fatal(view, kind) ? "::error file=" : "::warning file=";
    for (const auto& row : gate_rows(view, kind).rows) {
      const auto file = file_of(view, *row.item);
      if (file.empty()) continue;
      out += command + text::defuse_log_commands(text::escape_workflow_property(file)) +
             ",title=flakestat::" + text::defuse_log_commands(text::escape_workflow_data(sentence_of(row))) + "\n";
    }
  }
  return out;
}

}  // namespace flakestat::report
