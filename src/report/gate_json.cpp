#include "base/sha256.hpp"
#include "model/identity.hpp"
#include "report/gate.hpp"
#include "report/gate_rows.hpp"
#include "report/score_json.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

void write_item(JsonWriter& json, const rules::GateItem& item) {
  json.begin_object().field("test_id", to_hex(item.test_id));
  json.field("suite", item.suite).field("class", item.class_name).field("name", item.name);
  write_known(json.key("file"), item.file);
  json.field("score", item.score).field("lower_bound", item.lower_bound).field("accepted_score", item.was);
  json.field("count", item.count);
  write_known(json.key("last_pass_commit"), item.commit);
  write_known(json.key("reason"), item.reason);
  json.end_object();
}

void write_items(JsonWriter& json, std::string_view name, const std::vector<rules::GateItem>& items) {
  json.key(name).begin_array();
  for (const auto& item : items) write_item(json, item);
  json.end_array();
}

void write_newest(JsonWriter& json, const rules::GateResult& result) {
  const auto& newest = result.newest;
  json.key("newest_run").begin_object().field("run_id", newest.run_id).field("branch", newest.branch);
  write_time(json.key("started"), newest.started);
  json.field("tests", newest.tests).field("failing", newest.failing).field("sanitised", newest.sanitised);
  json.field("quarantined", newest.quarantined).field("damaged", result.damaged).field("selected", result.selected);
  json.field("branch_unseen", result.branch_unseen);
  write_outages(json.key("outages"), result.outages);
  json.end_object();
}

void write_accepted(JsonWriter& json, std::string_view name, const std::vector<AcceptedTest>& tests) {
  json.key(name).begin_array();
  for (const auto& test : tests) {
    json.begin_object().field("test_id", to_hex(test.test_id)).field("suite", test.suite);
    json.field("class", test.class_name).field("name", test.name);
    json.field("verdict", test.verdict).field("score", test.score).end_object();
  }
  json.end_array();
}

std::string fingerprint(const GateRow& row) {
  return hex_prefix(sha256("flakestat " + row.state + ' ' + to_hex(row.item->test_id)), 16);
}

std::string_view severity(const GateView& view, const GateRow& row) {
  return is_fatal(view, row.kind) ? "major" : "minor";
}

}  // namespace

std::string gate_json(const GateView& view, text::JsonStyle style) {
  const auto& r = view.result;
  JsonWriter json(style);
  json.begin_object().field("decision", to_string(r.decision));
  write_strings(json.key("reasons"), r.reasons);
  json.field("model", model_name(view.model));
  json.key("baseline").begin_object().field("file", view.baseline_path).field("exists", view.has_baseline);
  json.field("tests", view.accepted_before).end_object();
  write_newest(json, r);
  write_items(json, "new", r.new_flaky);
  write_items(json, "worse", r.worse);
  write_items(json, "accepted", r.accepted);
  write_items(json, "known_failing", r.known_failing);
  write_items(json, "below_threshold", r.below_threshold);
  write_items(json, "fixed", r.fixed);
  write_items(json, "broken", r.broken);
  write_items(json, "not_seen", r.not_seen);
  write_items(json, "unproven", r.unproven);
  write_items(json, "sanitised", r.sanitised);
  write_items(json, "missing", r.missing);
  write_items(json, "failing", r.failing);
  json.key("changing_names");
  if (r.changing) {
    json.begin_object().field("seen_once", r.changing->seen_once).field("before", r.changing->before);
    json.field("after", r.changing->after).end_object();
  } else {
    json.null();
  }
  return json.end_object().finish();
}

std::string gate_code_quality(const GateView& view) {
  JsonWriter json;
  json.begin_array();
  for (const auto kind : {GateKind::worse, GateKind::new_flaky, GateKind::unproven, GateKind::sanitised}) {
    for (const auto& row : gate_rows(view, kind).rows) {
      const auto file = file_of(view, *row.item);
      if (file.empty()) continue;
      json.begin_object().field("description", sentence_of(row)).field("check_name", "flakestat/" + row.state);
      json.field("fingerprint", fingerprint(row)).field("severity", severity(view, row));
      // The log knows the file of a test, not its line; GitLab wants one.
      json.key("location").begin_object().field("path", file);
      json.key("lines").begin_object().field("begin", 1).end_object().end_object().end_object();
    }
  }
  return json.end_array().finish();
}

std::string baseline_change_json(const rules::BaselineChange& change, const std::string& path, text::JsonStyle style) {
  JsonWriter json(style);
  json.begin_object().field("file", path).field("model", change.baseline.model);
  json.field("tests", change.baseline.tests.size());
  write_accepted(json, "added", change.added);
  write_accepted(json, "removed", change.removed);
  write_accepted(json, "kept", change.kept);
  write_accepted(json, "unseen", change.unseen);
  return json.end_object().finish();
}

}  // namespace flakestat::report
