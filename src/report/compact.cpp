#include "report/compact.hpp"

#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

std::string sizes(const CompactSummary& summary) {
  return std::to_string(summary.bytes_before) + " -> " + std::to_string(summary.bytes_after) + " bytes";
}

}  // namespace

std::string compact_json(const CompactSummary& summary, text::JsonStyle style) {
  text::JsonWriter json(style);
  json.begin_object().field("lines", summary.lines).field("kept", summary.kept);
  json.field("duplicates", summary.duplicates).field("superseded", summary.superseded);
  json.field("rejected", summary.rejected);
  json.field("bytes_before", summary.bytes_before).field("bytes_after", summary.bytes_after);
  return json.field("dry_run", summary.dry_run).end_object().finish();
}

std::string compact_text(const CompactSummary& summary) {
  const std::string would = summary.dry_run ? "would be " : "";
  const auto line = [&](std::uint64_t count, const char* noun, const std::string& what) {
    return count == 0 ? std::string() : "  " + counted(count, noun) + " " + would + what + "\n";
  };
  std::string out = "kept " + std::to_string(summary.kept) + " of " + counted(summary.lines, "line") + ", " +
                    sizes(summary) + (summary.dry_run ? " (dry run: nothing was changed)\n" : "\n");
  out += line(summary.duplicates, "duplicate execution", "dropped");
  out += line(summary.superseded, "case", "dropped: of damaged reports, and a whole report has the same");
  out += line(summary.rejected, "damaged line", "moved to " + text::escape_terminal(summary.rejected_file));
  return out;
}

}  // namespace flakestat::report
