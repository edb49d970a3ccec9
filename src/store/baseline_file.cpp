#include "store/baseline_file.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/strings.hpp"
#include "sys/file.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostDepth = 16;
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kMend =
    "; restore it from version control, or accept the present state with 'flakestat check --update-baseline'";

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  [[nodiscard]] Error damaged(const std::string& what) const {
    return {ErrorKind::damaged, path_ + ": " + what + std::string(kMend)};
  }

  [[nodiscard]] Result<void> read(const object& root, Baseline& out) const {
    FLAKESTAT_TRY(check_once(root));
    FLAKESTAT_TRY(check_version(root));
    out.model = "flip-rate";
    if (element model; root["model"].get(model) == simdjson::SUCCESS) FLAKESTAT_TRY(text(model, "model", out.model));
    object tests;
    if (root["tests"].get(tests) != simdjson::SUCCESS) return damaged("\"tests\" is not there, or no object");
    for (const auto field : tests) {
      auto test = read_test(field.key, field.value);
      if (!test) return test.error();
      out.tests.push_back(std::move(*test));
    }
    const auto by_id = [](const AcceptedTest& a, const AcceptedTest& b) { return a.test_id < b.test_id; };
    std::sort(out.tests.begin(), out.tests.end(), by_id);
    const auto twice = std::adjacent_find(out.tests.begin(), out.tests.end(),
                                          [](const auto& a, const auto& b) { return a.test_id == b.test_id; });
    if (twice != out.tests.end()) return damaged("test " + to_hex(twice->test_id) + " is there twice");
    return {};
  }

 private:
  // Two halves of a bad merge: whichever counted, the other one would be lost in silence.
  [[nodiscard]] Result<void> check_once(const object& root) const {
    for (const std::string_view key : {"version", "model", "tests"}) {
      const auto times = std::count_if(root.begin(), root.end(), [&](const auto& field) { return field.key == key; });
      if (times > 1) return damaged(in_quotes(key) + " is there twice");
    }
    return {};
  }

  [[nodiscard]] Result<void> check_version(const object& root) const {
    std::int64_t version = 0;
    if (root["version"].get(version) != simdjson::SUCCESS) return damaged("\"version\" is not there, or no number");
    if (version == kVersion) return {};
    return Error{ErrorKind::config, path_ + ": version " + std::to_string(version) +
                                        " of the baseline is not known to this flakestat (it knows 1): use the "
                                        "flakestat that wrote it, or move the file away"};
  }

  [[nodiscard]] Result<void> text(const element& value, const std::string& name, std::string& out) const {
    std::string_view found;
    if (value.get(found) != simdjson::SUCCESS) return damaged(in_quotes(name) + " is no string");
    out = found;
    return {};
  }

  [[nodiscard]] Result<AcceptedTest> read_test(std::string_view key, const element& value) const {
    AcceptedTest test;
    const auto id = parse_hex64(key);
    object fields;
    if (!id) return damaged("test " + in_quotes(key) + ": a test_id has 16 hex digits");
    if (value.get(fields) != simdjson::SUCCESS) return damaged("test " + in_quotes(key) + " is no object");
    test.test_id = TestId{*id};
    const auto where = "test " + std::string(key) + ": ";
    bool named = false;
    bool scored = false;
    for (const auto field : fields) {
      Result<void> read;
      if (field.key == "name") read = text(field.value, "name", test.name);
      else if (field.key == "suite") read = text(field.value, "suite", test.suite);
      else if (field.key == "class") read = text(field.value, "class", test.class_name);
      else if (field.key == "verdict") read = text(field.value, "verdict", test.verdict);
      else if (field.key == "score") {
        if (scored) return damaged(where + "\"score\" is there twice");
        if (field.value.get(test.score) != simdjson::SUCCESS) return damaged(where + "\"score\" is no number");
        scored = true;
      }
      if (!read) return read.error();
      named = named || field.key == "name";
    }
    if (!named) return damaged(where + "it has no name");
    if (!(test.score >= 0 && test.score <= 1)) return damaged(where + "the score lies outside 0 to 1");
    return test;
  }

  const std::string& path_;
};

}  // namespace

Result<Baseline> parse_baseline(std::string_view json, const std::string& path) {
  const Reader reader(path);
  if (json.size() > kMostBytes) return reader.damaged("larger than 64 MiB: this is no baseline");
  if (json.find("<<<<<<< ") != std::string_view::npos) return reader.damaged("it holds the marks of a merge conflict");
  if (json.starts_with("\xef\xbb\xbf")) json.remove_prefix(3);
  simdjson::dom::parser parser;
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS) return reader.damaged("too large to read");
  element root;
  if (const auto code = parser.parse(json.data(), json.size()).get(root); code != simdjson::SUCCESS) {
    return reader.damaged(std::string("not valid JSON: ") + simdjson::error_message(code));
  }
  object fields;
  if (root.get(fields) != simdjson::SUCCESS) return reader.damaged("a baseline is a JSON object");
  Baseline baseline;
  FLAKESTAT_TRY(reader.read(fields, baseline));
  return baseline;
}

Result<std::optional<Baseline>> read_baseline(const std::string& path) {
  const auto json = sys::read_file(path, kMostBytes);
  if (!json && json.error().kind == ErrorKind::missing) return std::optional<Baseline>{};
  if (!json) return json.error();
  auto baseline = parse_baseline(*json, path);
  if (!baseline) return baseline.error();
  return std::optional<Baseline>(std::move(*baseline));
}

std::string encode_baseline(const Baseline& baseline) {
  text::JsonWriter json;
  json.begin_object().field("version", kVersion).field("model", baseline.model);
  json.key("tests").begin_object();
  for (const auto& test : baseline.tests) {
    json.key(to_hex(test.test_id)).begin_object();
    json.field("name", test.name).field("suite", test.suite).field("class", test.class_name);
    json.field("verdict", test.verdict).field("score", test.score).end_object();
  }
  return json.end_object().end_object().finish();
}

Result<void> write_baseline(const std::string& path, const Baseline& baseline) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) FLAKESTAT_TRY(sys::make_directories_durably(folder.string()));
  return sys::replace_file(path, encode_baseline(baseline));
}

}  // namespace flakestat::store
