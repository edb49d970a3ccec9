#include "report/ledger.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/timestamp.hpp"
#include "report/words.hpp"
#include "rules/day.hpp"
#include "text/escape.hpp"
#include "text/table.hpp"

namespace flakestat::report {
namespace {

constexpr std::int64_t kMillis = 1000;
// 9999-12-31: later days have no text.
constexpr std::int64_t kLastEpoch = 253'402'300'799;

std::string day(std::int64_t epoch) {
  if (epoch <= 0) return "-";
  return rules::format_day(rules::day_of(std::min(epoch, kLastEpoch) * kMillis));
}

std::string summary(const LedgerTable& table) {
  std::string line = counted(table.total, "test");
  if (table.rows.size() < table.total) line += ", " + std::to_string(table.rows.size()) + " shown";
  return line +
         (table.retention_days == 0
              ? "; nothing is forgotten"
              : "; forgotten " + counted(static_cast<std::uint64_t>(table.retention_days), "day") +
                    " after the last time") +
         "\n";
}

void write_paths(text::JsonWriter& json, const char* name, const std::vector<std::string>& paths) {
  json.key(name).begin_array();
  for (const auto& path : paths) json.value(path);
  json.end_array();
}

}  // namespace

LedgerTable rank_ledger(std::vector<LedgerRow> rows, std::optional<std::size_t> top, std::int64_t retention_days) {
  std::sort(rows.begin(), rows.end(), [](const LedgerRow& a, const LedgerRow& b) {
    return std::tie(b.entry.flaky, b.entry.failed, b.entry.last_epoch, a.id) <
           std::tie(a.entry.flaky, a.entry.failed, a.entry.last_epoch, b.id);
  });
  LedgerTable table;
  table.total = rows.size();
  table.retention_days = retention_days;
  if (top && rows.size() > *top) rows.resize(*top);
  table.rows = std::move(rows);
  return table;
}

std::string ledger_table(const LedgerTable& ledger, const text::Look& look) {
  if (ledger.total == 0) return {};
  text::Table table({{"FLAKY", text::Align::right},
                     {"FAILED", text::Align::right},
                     {"LAST SEEN", text::Align::left},
                     {"LAST FAILED", text::Align::left},
                     {"TEST", text::Align::left}});
  for (const auto& [id, entry] : ledger.rows) {
    table.add_row({{std::to_string(entry.flaky), entry.flaky > 0 ? text::Tone::warning : text::Tone::plain},
                   {std::to_string(entry.failed), entry.failed > 0 ? text::Tone::bad : text::Tone::plain},
                   {day(entry.last_epoch)},
                   {day(entry.last_failed_epoch)},
                   {id}});
  }
  return table.render(look) + "\n" + summary(ledger);
}

std::string ledger_json(const LedgerTable& table, text::JsonStyle style) {
  text::JsonWriter json(style);
  json.begin_object().field("retention_days", table.retention_days).field("total", table.total);
  json.key("tests").begin_array();
  for (const auto& [id, entry] : table.rows) {
    json.begin_object().field("id", id).field("flaky", entry.flaky).field("failed", entry.failed);
    json.field("last_epoch", entry.last_epoch).field("last_failed_epoch", entry.last_failed_epoch).end_object();
  }
  return json.end_array().end_object().finish();
}

std::string ledger_change_text(const LedgerChange& change) {
  std::string out;
  if (!change.moved_away.empty())
    out += "the damaged ledger is kept as " + text::escape_terminal(change.moved_away) + "\n";
  out += counted(change.runs, "run") + " with flaky or failed tests, " + std::to_string(change.new_runs) + " new; " +
         counted(change.tests, "test") + " in the ledger" + (change.changed ? "" : " (nothing changed)") + "\n";
  for (const auto& file : change.files) {
    if (file.plain)
      out += "  " + text::escape_terminal(file.path) +
             " does not say which runs it counts: the same file again adds nothing, a later state of it all its runs "
             "again\n";
  }
  return out;
}

std::string ledger_change_json(const LedgerChange& change, text::JsonStyle style) {
  text::JsonWriter json(style);
  json.begin_object().field("action", change.action);
  json.key("files").begin_array();
  for (const auto& file : change.files) {
    json.begin_object().field("path", file.path).field("plain", file.plain).field("runs", file.runs).end_object();
  }
  json.end_array();
  write_paths(json, "missing", change.missing);
  write_paths(json, "rejected", change.rejected);
  json.field("runs", change.runs).field("new_runs", change.new_runs).field("tests", change.tests);
  json.field("changed", change.changed).key("moved_away");
  if (change.moved_away.empty()) json.null();
  else json.value(change.moved_away);
  return json.end_object().finish();
}

}  // namespace flakestat::report
