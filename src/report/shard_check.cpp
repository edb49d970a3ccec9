#include "report/shard_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/timestamp.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"
#include "text/table.hpp"

namespace flakestat::report {
namespace {

using rules::ShardCheck;
using rules::ShardPart;

constexpr std::size_t kMostListed = 20;

std::string ending_of(const ShardPart& part) {
  return part.finished ? "exit code " + std::to_string(part.exit_code) : "unfinished";
}

text::Tone tone_of(const ShardPart& part) {
  if (!part.finished || part.run < part.tests) return text::Tone::bad;
  return part.exit_code == 0 ? text::Tone::good : text::Tone::warning;
}

std::string parts_table(const ShardCheck& check, const text::Look& look) {
  using text::Align;
  text::Table table({{"SHARD", Align::right},
                     {"TESTS", Align::right},
                     {"RUN", Align::right},
                     {"ENDED"},
                     {"STARTED"},
                     {"RUN ID"},
                     {"MANIFEST"}});
  for (const auto& part : check.parts) {
    table.add_row({{std::to_string(part.k) + "/" + std::to_string(part.n)},
                   {std::to_string(part.tests)},
                   {std::to_string(part.run)},
                   {ending_of(part), tone_of(part)},
                   {format_utc(part.started)},
                   {part.run_id},
                   {part.file}});
  }
  return table.render(look);
}

// A heading with its count, then a line an entry.
template <class Entry, class Line>
void append_list(std::string& out, const std::vector<Entry>& entries, const std::string& heading, bool all, Line line) {
  if (entries.empty()) return;
  out += "\n" + heading + "\n";
  const auto shown = all ? entries.size() : std::min(entries.size(), kMostListed);
  for (std::size_t i = 0; i < shown; ++i) out += "  " + text::escape_terminal(line(entries[i])) + "\n";
  if (shown < entries.size()) out += "  and " + std::to_string(entries.size() - shown) + " more (--all shows them)\n";
}

std::string decision(const ShardCheck& check, const text::Look& look) {
  if (check.ok()) {
    return text::paint(
        "ok: " + counted(check.collected, "test") + ", each run in one of " + counted(check.parts.size(), "shard"),
        text::Tone::good, look.colour);
  }
  const auto said = check.parts.empty() ? std::string("no manifest of a shard was found")
                                        : std::to_string(check.run) + " of " + counted(check.collected, "test") +
                                              " ran, in " + std::to_string(check.parts.size()) + " of " +
                                              counted(static_cast<std::uint64_t>(check.expected), "shard");
  return text::paint("not ok: " + said, text::Tone::bad, look.colour);
}

void write_names(text::JsonWriter& json, const char* key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const auto& name : names) json.value(name);
  json.end_array();
}

void write_numbers(text::JsonWriter& json, const char* key, const std::vector<int>& all) {
  json.key(key).begin_array();
  for (const int one : all) json.value(one);
  json.end_array();
}

void write_parts(text::JsonWriter& json, const ShardCheck& check) {
  json.key("shards").begin_array();
  for (const auto& part : check.parts) {
    json.begin_object().field("shard", part.k).field("of", part.n).field("run_id", part.run_id);
    json.field("file", part.file).field("started", format_utc(part.started));
    json.field("tests", part.tests).field("run", part.run).field("finished", part.finished);
    json.field("exit_code", part.finished ? std::optional(part.exit_code) : std::nullopt).end_object();
  }
  json.end_array();
}

}  // namespace

std::string shard_check_json(const ShardCheck& check, text::JsonStyle style) {
  text::JsonWriter json(style);
  json.begin_object().field("ok", check.ok()).field("expected", check.expected);
  json.field("collected", check.collected).field("run", check.run);
  write_parts(json, check);
  write_numbers(json, "missing", check.missing);
  write_names(json, "contradictions", check.contradictions);
  json.key("doubled").begin_array();
  for (const auto& test : check.doubled) {
    json.begin_object().field("test", test.id);
    write_numbers(json, "shards", test.shards);
    json.end_object();
  }
  json.end_array().key("not_run").begin_array();
  for (const auto& test : check.not_run) {
    json.begin_object().field("test", test.id).field("shard", test.shard).end_object();
  }
  json.end_array();
  write_names(json, "unassigned", check.unassigned);
  json.field("unnamed", check.unnamed).key("set_aside").begin_array();
  for (const auto& one : check.set_aside) {
    json.begin_object().field("file", one.file).field("shard", one.k).field("reason", one.reason).end_object();
  }
  return json.end_array().end_object().finish();
}

std::string shard_check_table(const ShardCheck& check, bool all, const text::Look& look) {
  std::string out = check.parts.empty() ? std::string() : parts_table(check, look);
  if (!check.missing.empty())
    out += (out.empty() ? "missing: " : "\nmissing: ") + number_list("shard", check.missing) + "\n";
  append_list(out, check.contradictions, "contradictions:", all, [](const auto& sentence) { return sentence; });
  append_list(out, check.doubled, counted(check.doubled.size(), "test") + " run more than once:", all,
              [](const auto& test) { return test.id + "  (" + number_list("shard", test.shards) + ")"; });
  append_list(out, check.not_run, counted(check.not_run.size(), "test") + " not run:", all,
              [](const auto& test) { return test.id + "  (" + number_list("shard", {test.shard}) + ")"; });
  append_list(out, check.unassigned, counted(check.unassigned.size(), "test") + " in no shard that is there:", all,
              [](const auto& id) { return id; });
  if (check.unnamed > 0) {
    out += "\n" + counted(check.unnamed, check.unassigned.empty() ? "test" : "more test") +
           " in no shard that is there, with names that no manifest holds\n";
  }
  append_list(out, check.set_aside, "set aside:", all,
              [](const auto& one) { return one.file + ": shard " + std::to_string(one.k) + ": " + one.reason; });
  return out + (out.empty() ? "" : "\n") + decision(check, look) + "\n";
}

}  // namespace flakestat::report
