#include "store/hunt_record.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

using text::JsonWriter;

std::string hex_of(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15U];
  }
  return out;
}

void write_text(JsonWriter& json, std::string_view text) {
  if (is_valid_utf8(text)) json.value(text);
  else json.begin_object().field("hex", hex_of(text)).end_object();
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const auto& each : texts) write_text(json, each);
  json.end_array();
}

void write_variables(JsonWriter& json, std::string_view key, const std::vector<RecordedVariable>& variables) {
  json.key(key).begin_array();
  for (const auto& variable : variables) {
    json.begin_object().key("name");
    write_text(json, variable.name);
    json.key("value");
    if (variable.value) write_text(json, *variable.value);
    else json.null();
    json.end_object();
  }
  json.end_array();
}

void write_run(JsonWriter& json, const RecordedRun& run) {
  json.begin_object().field("run", run.run).field("end", run.end).field("code", run.code).field("failed", run.failed);
  json.field("started", format_utc(run.started)).field("wall_ms", run.wall_ms).field("isolation", run.isolation);
  json.field("command", run.command).end_object();
}

std::size_t size_of(const RecordedCommand& command) {
  std::size_t size = 0;
  for (const auto& each : command.argv) size += each.size() + 4;
  for (const auto& each : command.tests) size += each.size() + 4;
  return size;
}

// Where the command stands in the record, after adding it when there is room.
std::optional<std::size_t> place_of(HuntRecord& record, const RecordedCommand& command, const RecordRoom& room) {
  const auto known = std::find(record.commands.rbegin(), record.commands.rend(), command);
  if (known != record.commands.rend()) return static_cast<std::size_t>(record.commands.rend() - known) - 1;
  auto size = size_of(command);
  for (const auto& each : record.commands) size += size_of(each);
  if (size > room.command_bytes) return std::nullopt;
  record.commands.push_back(command);
  return record.commands.size() - 1;
}

// A quarter at once, so that adding a run stays cheap.
void make_room(HuntRecord& record, std::size_t most) {
  if (record.runs.size() <= most) return;
  auto surplus = record.runs.size() - (most - most / 4);
  record.left_out += surplus;
  for (const bool failed : {false, true}) {
    std::erase_if(record.runs, [&](const RecordedRun& run) {
      const bool goes = surplus > 0 && run.failed == failed;
      surplus -= goes ? 1 : 0;
      return goes;
    });
  }
}

}  // namespace

void add_run(HuntRecord& record, RecordedRun run, const std::optional<RecordedCommand>& own, const RecordRoom& room) {
  run.command = own ? place_of(record, *own, room) : 0;
  const auto after = std::upper_bound(record.runs.begin(), record.runs.end(), run.run,
                                      [](int number, const RecordedRun& other) { return number < other.run; });
  record.runs.insert(after, std::move(run));
  make_room(record, room.runs);
}

const RecordedRun* find_run(const HuntRecord& record, int run) {
  const auto found =
      std::find_if(record.runs.begin(), record.runs.end(), [run](auto& each) { return each.run == run; });
  return found == record.runs.end() ? nullptr : &*found;
}

std::string encode_hunt(const HuntRecord& record) {
  JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("version", 1).key("run_id");
  write_text(json, record.run_id);
  json.field("started", format_utc(record.started)).field("ended", record.ended).key("code");
  write_text(json, record.code);
  write_text(json.key("directory"), record.directory);
  write_text(json.key("junit"), record.junit);
  json.field("timeout_ms", record.timeout_ms);
  write_variables(json, "variables", record.variables);
  write_variables(json, "recorded", record.recorded);
  json.key("commands").begin_array();
  for (const auto& command : record.commands) {
    json.begin_object();
    write_texts(json, "argv", command.argv);
    json.field("filled", command.filled);
    write_texts(json, "tests", command.tests);
    json.end_object();
  }
  json.end_array().key("runs").begin_array();
  for (const auto& run : record.runs) write_run(json, run);
  return json.end_array().field("left_out", record.left_out).end_object().finish();
}

}  // namespace flakestat::store
