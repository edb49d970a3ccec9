#include "store/ledger_codec.hpp"

#include <simdjson.h>

#include <cmath>
#include <optional>
#include <set>

#include "base/strings.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMostDepth = 64;
constexpr std::int64_t kVersion = 1;
constexpr double kMostEpoch = 1e15;

Error damaged(const std::string& path, const std::string& what) { return {ErrorKind::damaged, path + ": " + what}; }

Result<object> parse(simdjson::dom::parser& parser, std::string_view json, const std::string& path) {
  if (json.size() > kMostLedgerBytes) return damaged(path, "larger than 64 MiB: this is no ledger");
  if (json.starts_with("\xef\xbb\xbf")) json.remove_prefix(3);
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS) return damaged(path, "too large to read");
  element root;
  if (const auto code = parser.parse(json.data(), json.size()).get(root); code != simdjson::SUCCESS)
    return damaged(path, std::string("not valid JSON: ") + simdjson::error_message(code));
  object fields;
  if (root.get(fields) != simdjson::SUCCESS) return damaged(path, "a ledger is a JSON object");
  return fields;
}

// Other programs write times with a fraction.
std::optional<std::uint64_t> whole_number(const element& value) {
  if (std::uint64_t number = 0; value.get(number) == simdjson::SUCCESS) return number;
  double number = 0;
  if (value.get(number) != simdjson::SUCCESS || !(number >= 0) || number > kMostEpoch) return std::nullopt;
  return static_cast<std::uint64_t>(std::floor(number));
}

// `unknown`: where keys go that we do not know; null: nowhere.
Result<LedgerEntry> read_entry(const object& fields, std::string_view id, const std::string& path,
                               UnknownKeys* unknown) {
  LedgerEntry entry;
  std::set<std::string_view> seen;
  for (const auto field : fields) {
    if (!seen.insert(field.key).second)
      return damaged(path, "test " + in_quotes(id) + ": " + in_quotes(field.key) + " is there twice");
    const bool known =
        field.key == "flaky" || field.key == "failed" || field.key == "last_epoch" || field.key == "last_failed_epoch";
    if (!known) {
      if (unknown != nullptr) unknown->emplace_back(field.key, simdjson::minify(field.value));
      continue;
    }
    // Nothing recorded, as other programs say it.
    if (field.value.is_null()) continue;
    const auto number = whole_number(field.value);
    if (!number || (field.key.starts_with("last_") && *number > static_cast<std::uint64_t>(kMostEpoch)))
      return damaged(path, "test " + in_quotes(id) + ": " + in_quotes(field.key) + " is no number of 0 or more");
    if (field.key == "flaky") entry.flaky = *number;
    else if (field.key == "failed") entry.failed = *number;
    else if (field.key == "last_epoch") entry.last_epoch = static_cast<std::int64_t>(*number);
    else entry.last_failed_epoch = static_cast<std::int64_t>(*number);
  }
  return entry;
}

Result<LedgerTests> read_tests(const object& fields, const std::string& path) {
  LedgerTests tests;
  for (const auto field : fields) {
    object inner;
    if (field.value.get(inner) != simdjson::SUCCESS)
      return damaged(path, "test " + in_quotes(field.key) + " is no object");
    auto entry = read_entry(inner, field.key, path, nullptr);
    if (!entry) return entry.error();
    if (!tests.emplace(field.key, *entry).second)
      return damaged(path, "test " + in_quotes(field.key) + " is there twice");
  }
  return tests;
}

void write_entry(text::JsonWriter& json, const LedgerEntry& entry, const UnknownKeys* unknown) {
  json.begin_object().field("flaky", entry.flaky).field("failed", entry.failed);
  json.field("last_epoch", entry.last_epoch).field("last_failed_epoch", entry.last_failed_epoch);
  if (unknown != nullptr) {
    for (const auto& [key, value] : *unknown) json.key(key).raw(value);
  }
  json.end_object();
}

// The members of a compact object `{...}`, each on a line of its own.
class MemberLines {
 public:
  template <class Write>
  void add(Write write) {
    text::JsonWriter json(text::JsonStyle::compact);
    json.begin_object();
    write(json);
    json.end_object();
    const auto text = json.take();
    out_ += out_.empty() ? "{\n" : ",\n";
    out_.append(text, 1, text.size() - 2);
  }
  [[nodiscard]] std::string finish() const { return out_.empty() ? "{}\n" : out_ + "\n}\n"; }

 private:
  std::string out_;
};

}  // namespace

Result<LedgerFile> parse_ledger(std::string_view json, const std::string& path) {
  simdjson::dom::parser parser;
  auto fields = parse(parser, json, path);
  if (!fields) return fields.error();
  LedgerFile ledger;
  std::set<std::string_view> others;
  for (const auto field : *fields) {
    object inner;
    if (field.value.get(inner) != simdjson::SUCCESS) {
      if (!others.insert(field.key).second) return damaged(path, in_quotes(field.key) + " is there twice");
      ledger.unknown.emplace_back(field.key, simdjson::minify(field.value));
      continue;
    }
    UnknownKeys unknown;
    auto entry = read_entry(inner, field.key, path, &unknown);
    if (!entry) return entry.error();
    if (!ledger.tests.emplace(field.key, *entry).second)
      return damaged(path, "test " + in_quotes(field.key) + " is there twice");
    if (!unknown.empty()) ledger.unknown_of.emplace(field.key, std::move(unknown));
  }
  return ledger;
}

std::string encode_ledger(const LedgerFile& ledger) {
  MemberLines lines;
  for (const auto& other : ledger.unknown) lines.add([&](auto& json) { json.key(other.first).raw(other.second); });
  for (const auto& [id, entry] : ledger.tests) {
    const auto at = ledger.unknown_of.find(id);
    const auto* unknown = at == ledger.unknown_of.end() ? nullptr : &at->second;
    lines.add([&, &name = id, &value = entry](auto& json) { write_entry(json.key(name), value, unknown); });
  }
  return lines.finish();
}

Result<LedgerRuns> parse_ledger_runs(std::string_view json, const std::string& path) {
  simdjson::dom::parser parser;
  auto fields = parse(parser, json, path);
  if (!fields) return fields.error();
  std::int64_t version = 0;
  if ((*fields)["version"].get(version) != simdjson::SUCCESS)
    return damaged(path, "\"version\" is not there, or no number");
  if (version != kVersion)
    return Error{ErrorKind::config,
                 path + ": version " + std::to_string(version) +
                     " is not known to this flakestat (it knows 1): use the flakestat that wrote it"};
  object found;
  if ((*fields)["runs"].get(found) != simdjson::SUCCESS) return damaged(path, "\"runs\" is not there, or no object");
  LedgerRuns runs;
  for (const auto field : found) {
    object inner;
    if (field.value.get(inner) != simdjson::SUCCESS)
      return damaged(path, "run " + in_quotes(field.key) + " is no object");
    auto tests = read_tests(inner, path);
    if (!tests) return tests.error();
    if (!runs.emplace(field.key, std::move(*tests)).second)
      return damaged(path, "run " + in_quotes(field.key) + " is there twice");
  }
  return runs;
}

std::string encode_ledger_runs(const LedgerRuns& runs) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("version", kVersion).key("runs").begin_object();
  for (const auto& [run, tests] : runs) {
    json.key(run).begin_object();
    for (const auto& [id, entry] : tests) write_entry(json.key(id), entry, nullptr);
    json.end_object();
  }
  return json.end_object().end_object().finish();
}

bool holds_ledger_runs(std::string_view json) {
  simdjson::dom::parser parser;
  auto fields = parse(parser, json, {});
  if (!fields) return false;
  object runs;
  std::int64_t version = 0;
  // A test may be called "runs"; none has a version beside it.
  return (*fields)["version"].get(version) == simdjson::SUCCESS && (*fields)["runs"].get(runs) == simdjson::SUCCESS;
}

}  // namespace flakestat::store
