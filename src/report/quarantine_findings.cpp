#include "report/quarantine_findings.hpp"

#include "report/score_json.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {

std::string list_update_json(const ListUpdate& update) {
  text::JsonWriter json;
  json.begin_object().field("file", update.file).field("changed", update.changed).key("added").begin_array();
  for (const auto& one : update.added) {
    json.begin_object().field("entry", one.entry).field("test_id", one.test_id).field("test", one.test);
    write_known(json.key("owner"), one.owner);
    json.field("expires", one.expires).field("reason", one.reason).end_object();
  }
  json.end_array().key("findings").begin_array();
  for (const auto& one : update.findings) {
    json.begin_object().field("line", one.line).field("kind", one.kind).field("entry", one.entry);
    json.field("message", one.message).field("removed", one.removed).end_object();
  }
  return json.end_array().end_object().finish();
}

std::string list_check_json(const ListCheck& check) {
  text::JsonWriter json;
  json.begin_object().field("file", check.file).field("entries", check.entries);
  json.field("history_known", check.history_known).key("problems").begin_array();
  for (const auto& one : check.problems) {
    json.begin_object().field("line", one.line).field("kind", one.kind).field("entry", one.entry);
    json.field("message", one.message).end_object();
  }
  return json.end_array().end_object().finish();
}

std::string finding_line(const std::string& file, const ListFinding& finding) {
  std::string out = file + ":" + std::to_string(finding.line) + ": ";
  if (!finding.entry.empty()) out += finding.entry + ": ";
  return out + finding.kind + ": " + finding.message + (finding.removed ? "; removed" : "");
}

}  // namespace flakestat::report
