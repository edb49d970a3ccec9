#include <array>

#include "report/ci_report.hpp"
#include "report/gate_rows.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::array kKinds = {GateKind::worse,     GateKind::new_flaky, GateKind::unproven,
                               GateKind::sanitised, GateKind::missing,   GateKind::known_failing};

void append_azure(std::string& out, std::string_view type, const std::string& file, const std::string& message) {
  out.append("##vso[task.logissue type=").append(type);
  if (!file.empty()) out += ";sourcepath=" + text::defuse_log_commands(text::escape_azure_property(file));
  out += "]" + text::defuse_log_commands(text::escape_azure_data(message)) + "\n";
}

void append_teamcity(std::string& out, const std::string& message) {
  out += "##teamcity[message text='" + text::escape_teamcity(message) + "' status='WARNING']\n";
}

void append_statistic(std::string& out, std::string_view name, std::uint64_t value) {
  out.append("##teamcity[buildStatisticValue key='flakestat.").append(name);
  out += "' value='" + std::to_string(value) + "']\n";
}

std::string plain(const Note& note) { return note.before + note.foreign + note.after; }

}  // namespace

std::string azure_commands(const GateView& view, const std::string& summary) {
  std::string out;
  for (const auto kind : kKinds) {
    const auto rows = gate_rows(view, kind);
    for (const auto& row : rows.rows) {
      append_azure(out, is_fatal(view, kind) ? "error" : "warning", file_of(view, *row.item), sentence_of(row));
    }
    for (const auto& line : rows.left_out) append_azure(out, "warning", "", line);
  }
  for (const auto& note : trouble_notes(view)) append_azure(out, "warning", "", plain(note));
  const bool passed = view.result.decision == rules::Decision::passed;
  if (!passed) append_azure(out, "error", "", decision_sentence(view));
  if (!summary.empty()) out += "##vso[task.uploadsummary]" + text::escape_azure_data(summary) + "\n";
  return passed ? out + decision_sentence(view) + "\n" : out;
}

std::string teamcity_messages(const GateView& view) {
  const auto& r = view.result;
  std::string out;
  for (const auto kind : kKinds) {
    const auto rows = gate_rows(view, kind);
    for (const auto& row : rows.rows) append_teamcity(out, sentence_of(row));
    for (const auto& line : rows.left_out) append_teamcity(out, line);
  }
  for (const auto& note : trouble_notes(view)) append_teamcity(out, plain(note));
  append_statistic(out, "newFlaky", r.new_flaky.size());
  append_statistic(out, "worse", r.worse.size());
  append_statistic(out, "accepted", r.accepted.size());
  append_statistic(out, "fixed", r.fixed.size());
  append_statistic(out, "failing", r.newest.failing);
  append_statistic(out, "sanitised", r.newest.sanitised);
  append_statistic(out, "quarantined", r.newest.quarantined);
  return out + "##teamcity[buildStatus text='{build.status.text}; " + text::escape_teamcity(decision_sentence(view)) +
         "']\n";
}

}  // namespace flakestat::report
