#include "testing/junit_corpus.hpp"

#include <simdjson.h>

namespace flakestat::testing {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

std::optional<std::string> text(const object& from, std::string_view key) {
  std::string_view value;
  if (from[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return std::string(value);
}

std::uint64_t number(const object& from, std::string_view key) {
  std::uint64_t value = 0;
  return from[key].get(value) == simdjson::SUCCESS ? value : 0;
}

CorpusName name_of(const object& entry, std::string_view key) {
  object found;
  if (entry[key].get(found) != simdjson::SUCCESS) return {};
  return {text(found, "classname"), text(found, "name")};
}

std::optional<double> seconds(const element& value) {
  double number = 0;
  if (value.is_null() || value.get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

void read_times(const object& entry, CorpusEntry& out) {
  object times;
  if (entry["times"].get(times) != simdjson::SUCCESS) return;
  for (const auto& field : times) {
    auto& list = out.times[std::string(field.key)];
    simdjson::dom::array several;
    if (field.value.get(several) != simdjson::SUCCESS) {
      list.push_back(seconds(field.value));
      continue;
    }
    for (const element& one : several) list.push_back(seconds(one));
  }
}

CorpusEntry read_entry(const object& entry, const std::string& folder) {
  CorpusEntry out;
  out.file = text(entry, "file").value_or("");
  out.path = folder + "/" + out.file;
  object expect;
  if (entry["expect"].get(expect) == simdjson::SUCCESS && !text(expect, "error")) {
    out.counts = Counts{number(expect, "tests"),  number(expect, "passed"),  number(expect, "failures"),
                        number(expect, "errors"), number(expect, "skipped"), number(expect, "known_flaky")};
  }
  bool damaged = false;
  out.damaged = entry["damaged"].get(damaged) == simdjson::SUCCESS && damaged;
  out.incomplete_cases = number(entry, "incomplete_cases");
  out.first = name_of(entry, "first_case");
  out.last = name_of(entry, "last_case");
  read_times(entry, out);
  return out;
}

}  // namespace

std::vector<CorpusEntry> read_manifest(const std::string& folder) {
  simdjson::dom::parser parser;
  simdjson::dom::array entries;
  std::vector<CorpusEntry> out;
  if (parser.load(folder + "/manifest.json").get(entries) != simdjson::SUCCESS) return out;
  for (const element& entry : entries) {
    object fields;
    if (entry.get(fields) == simdjson::SUCCESS) out.push_back(read_entry(fields, folder));
  }
  return out;
}

}  // namespace flakestat::testing
