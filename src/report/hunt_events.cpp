#include "report/hunt_events.hpp"

#include <utility>

#include "report/hunt_json.hpp"
#include "report/score_json.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

JsonWriter begin(std::string_view event) {
  JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("event", event);
  return json;
}

}  // namespace

std::string event_line(const PlanEvent& event) {
  auto json = begin("plan");
  json.field("run_id", event.run_id);
  write_strings(json.key("command"), event.command);
  json.field("directory", event.directory);
  write_known(json.key("junit"), event.junit);
  json.field("runs", event.runs).field("parallel", event.parallel).field("timeout_ms", event.timeout_ms);
  return json.end_object().finish();
}

std::string event_line(const RunEvent& event) {
  auto json = begin("run");
  write_run_fields(json, event.run);
  json.field("failed", event.failed);
  write_known(json.key("isolation"), event.isolation);
  json.key("selected");
  if (event.selected.empty()) json.null();
  else write_strings(json, event.selected);
  return json.end_object().finish();
}

std::string event_line(const DisagreementEvent& event) {
  auto json = begin("disagreement");
  json.field("run", event.run).field("test_id", to_hex(event.test_id)).field("suite", event.suite);
  json.field("class", event.class_name).field("name", event.name);
  json.field("passes", event.passes).field("fails", event.fails);
  return json.end_object().finish();
}

std::string end_event_line(std::string document) {
  while (document.ends_with('\n')) document.pop_back();
  auto json = begin("end");
  json.key("hunt").raw(document);
  return json.end_object().finish();
}

}  // namespace flakestat::report
