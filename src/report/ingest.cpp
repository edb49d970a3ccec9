#include "report/ingest.hpp"

#include "report/inspect.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;
using text::Tone;

void write_damaged(JsonWriter& json, const std::vector<DamagedFile>& files) {
  json.begin_array();
  for (const auto& one : files) {
    json.begin_object().field("file", one.file).field("reason", one.damage.reason);
    json.field("offset", one.damage.offset).field("line", one.damage.line).field("cases", one.cases).end_object();
  }
  json.end_array();
}

void write_unused(JsonWriter& json, const std::vector<UnusedFile>& files) {
  json.begin_array();
  for (const auto& one : files) json.begin_object().field("file", one.file).field("reason", one.reason).end_object();
  json.end_array();
}

std::string headline(const IngestSummary& summary) {
  std::string out = "stored " + counted(summary.stored, "observation") + " from " + counted(summary.files, "report") +
                    " (" + counts_line(summary.counts) + ")";
  if (summary.duplicates > 0) out += "; " + counted(summary.duplicates, "duplicate execution") + " dropped";
  return out + "\n";
}

std::string file_line(std::string_view word, Tone tone, const std::string& file, const std::string& reason,
                      const text::Look& look) {
  return text::paint(word, tone, look.colour) + ": " + text::escape_terminal(file) + ": " +
         text::escape_terminal(reason) + "\n";
}

std::string where(const DamagedFile& file) {
  return file.damage.reason + " (byte " + std::to_string(file.damage.offset) + ", line " +
         std::to_string(file.damage.line) + "); " + counted(file.cases, "complete case") + " before it";
}

}  // namespace

std::string ingest_json(const IngestSummary& summary, text::JsonStyle style) {
  JsonWriter json(style);
  json.begin_object().field("files", summary.files).field("cases", summary.counts.tests);
  json.field("stored", summary.stored).field("duplicates", summary.duplicates);
  json.field("passed", summary.counts.passed).field("failures", summary.counts.failures);
  json.field("errors", summary.counts.errors).field("skipped", summary.counts.skipped);
  json.field("known_flaky", summary.counts.known_flaky);
  write_damaged(json.key("damaged"), summary.damaged);
  write_unused(json.key("rejected"), summary.rejected);
  write_unused(json.key("ignored"), summary.ignored);
  return json.field("run_id", summary.run_id).end_object().finish();
}

std::string ingest_text(const IngestSummary& summary, const text::Look& look) {
  std::string out = headline(summary);
  for (const auto& one : summary.damaged) out += file_line("damaged", Tone::bad, one.file, where(one), look);
  for (const auto& one : summary.rejected) out += file_line("rejected", Tone::bad, one.file, one.reason, look);
  for (const auto& one : summary.ignored) out += file_line("ignored", Tone::faint, one.file, one.reason, look);
  return out;
}

}  // namespace flakestat::report
