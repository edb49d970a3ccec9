#include "report/init.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

std::string_view name_of(ConfigState state) {
  switch (state) {
    case ConfigState::written: return "written";
    case ConfigState::shown: return "would-write";
    case ConfigState::kept: return "kept";
    case ConfigState::not_chosen: return "not-chosen";
    case ConfigState::no_command: return "no-command";
  }
  return "";
}

void strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& values) {
  json.key(key).begin_array();
  for (const auto& value : values) json.value(value);
  json.end_array();
}

void write_framework(JsonWriter& json, const InitFramework& found) {
  json.begin_object().field("framework", found.framework).field("folder", found.folder);
  json.field("evidence", found.evidence);
  strings(json, "command", found.command);
  json.key("junit");
  if (found.junit.empty()) json.null();
  else json.value(found.junit);
  json.key("missing").begin_array();
  for (const auto& missing : found.missing)
    json.begin_object().field("what", missing.what).field("install", missing.install).end_object();
  json.end_array();
  strings(json, "notes", found.notes);
  json.field("config", found.config).field("state", name_of(found.state)).end_object();
}

}  // namespace

std::string init_config(const InitConfig& config) {
  JsonWriter json;
  json.begin_object().field("version", 1);
  strings(json, "command", config.command);
  if (!config.junit.empty()) json.field("junit", config.junit);
  if (!config.dir.empty()) json.field("dir", config.dir);
  if (!config.default_branch.empty()) json.field("default_branch", config.default_branch);
  json.end_object();
  return json.finish();
}

std::string init_json(const InitOutcome& outcome) {
  JsonWriter json;
  json.begin_object().field("directory", outcome.directory).field("dry_run", outcome.dry_run);
  json.key("frameworks").begin_array();
  for (const auto& found : outcome.frameworks) write_framework(json, found);
  json.end_array();
  strings(json, "files", outcome.files);
  json.key("gitignore").begin_object().field("file", outcome.ignore_file);
  strings(json, "lines", outcome.ignore_lines);
  json.end_object();
  strings(json, "notes", outcome.notes);
  json.end_object();
  return json.finish();
}

}  // namespace flakestat::report
