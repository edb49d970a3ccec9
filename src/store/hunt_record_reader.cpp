#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "base/strings.hpp"
#include "store/hunt_record.hpp"

namespace flakestat::store {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::size_t kMostDepth = 16;
constexpr std::int64_t kVersion = 1;

std::optional<int> digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return std::nullopt;
}

std::optional<std::string> bytes_of(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const auto high = digit_of(hex[i]);
    const auto low = digit_of(hex[i + 1]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high * 16 + *low);
  }
  return out;
}

// Reads the fields of one object; the first that is missing or of another type is remembered.
class Fields {
 public:
  explicit Fields(const object& fields) : fields_(fields) {}

  template <class T>
  void number(std::string_view key, T& out) {
    std::int64_t value = 0;
    if (fields_[key].get(value) == simdjson::SUCCESS && std::in_range<T>(value)) out = static_cast<T>(value);
    else wrong(key);
  }
  template <class T>
  void maybe_number(std::string_view key, std::optional<T>& out) {
    if (fields_[key].is_null()) return;
    T value{};
    number(key, value);
    out = value;
  }
  void flag(std::string_view key, bool& out) {
    if (fields_[key].get(out) != simdjson::SUCCESS) wrong(key);
  }
  void text(std::string_view key, std::string& out) {
    element value;
    if (fields_[key].get(value) != simdjson::SUCCESS || !to_text(value, out)) wrong(key);
  }
  void maybe_text(std::string_view key, std::optional<std::string>& out) {
    if (!fields_[key].is_null()) text(key, out.emplace());
  }
  void time(std::string_view key, UnixMillis& out) {
    std::string_view value;
    const bool is_text = fields_[key].get(value) == simdjson::SUCCESS;
    if (const auto time = is_text ? parse_rfc3339(value) : std::nullopt) out = *time;
    else wrong(key);
  }
  void texts(std::string_view key, std::vector<std::string>& out) {
    each(key, [&](const element& value) {
      if (!to_text(value, out.emplace_back())) wrong(key);
    });
  }
  /// Calls `read(Fields&)` for every object of a list.
  template <class Read>
  void objects(std::string_view key, Read read) {
    each(key, [&](const element& value) {
      object inner;
      if (value.get(inner) != simdjson::SUCCESS) return wrong(key);
      Fields fields(inner);
      read(fields);
      if (!fields.problem().empty()) wrong(key);
    });
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  template <class Visit>
  void each(std::string_view key, Visit visit) {
    array values;
    if (fields_[key].get(values) != simdjson::SUCCESS) return wrong(key);
    for (const element value : values) visit(value);
  }
  // Nothing that a command can be given holds a NUL.
  static bool to_text(const element& value, std::string& out) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) {
      out = text;
    } else {
      auto bytes = value["hex"].get(text) == simdjson::SUCCESS ? bytes_of(text) : std::nullopt;
      if (!bytes) return false;
      out = std::move(*bytes);
    }
    return out.find('\0') == std::string::npos;
  }
  void wrong(std::string_view key) {
    if (problem_.empty()) problem_ = in_quotes(key) + " is not there, or not what it should be";
  }

  const object& fields_;
  std::string problem_;
};

void read_variables(Fields& fields, std::string_view key, std::vector<RecordedVariable>& out) {
  fields.objects(key, [&](Fields& inner) {
    auto& variable = out.emplace_back();
    inner.text("name", variable.name);
    inner.maybe_text("value", variable.value);
  });
}

void read_run(Fields& fields, RecordedRun& run) {
  fields.number("run", run.run);
  fields.text("end", run.end);
  fields.number("code", run.code);
  fields.flag("failed", run.failed);
  fields.time("started", run.started);
  fields.number("wall_ms", run.wall_ms);
  fields.text("isolation", run.isolation);
  fields.maybe_number("command", run.command);
}

void read_record(Fields& fields, HuntRecord& record) {
  fields.text("run_id", record.run_id);
  fields.time("started", record.started);
  fields.flag("ended", record.ended);
  fields.text("code", record.code);
  fields.text("directory", record.directory);
  fields.text("junit", record.junit);
  fields.maybe_number("timeout_ms", record.timeout_ms);
  read_variables(fields, "variables", record.variables);
  read_variables(fields, "recorded", record.recorded);
  fields.objects("commands", [&](Fields& inner) {
    auto& command = record.commands.emplace_back();
    inner.texts("argv", command.argv);
    inner.flag("filled", command.filled);
    inner.texts("tests", command.tests);
  });
  fields.objects("runs", [&](Fields& inner) { read_run(inner, record.runs.emplace_back()); });
  fields.number("left_out", record.left_out);
}

bool is_name(const RecordedVariable& variable) {
  return !variable.name.empty() && variable.name.find('=') == std::string::npos;
}

// What must hold for a run to be made again as it was; empty when it does.
std::string contradiction(const HuntRecord& record) {
  if (!record.directory.starts_with('/')) return "\"directory\" is not absolute";
  if (record.timeout_ms.value_or(1) < 1) return "\"timeout_ms\" is less than 1";
  for (const auto* variables : {&record.variables, &record.recorded}) {
    if (!std::all_of(variables->begin(), variables->end(), is_name)) return "a variable has no name, or one with a =";
  }
  for (const auto& run : record.runs) {
    if (run.command && *run.command >= record.commands.size()) return "a run names a command that is not there";
  }
  for (const auto& command : record.commands) {
    if (command.argv.empty()) return "a command is empty";
  }
  return "";
}

}  // namespace

Result<HuntRecord> parse_hunt(std::string_view json, const std::string& path) {
  const auto damaged = [&](const std::string& what) {
    return Error{ErrorKind::damaged, path + ": " + what + "; remove it, its hunt cannot be made again"};
  };
  if (json.size() > kMostBytes) return damaged("larger than 256 MiB: this is no record of a hunt");
  simdjson::dom::parser parser;
  object root;
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS) return damaged("too large to read");
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return damaged("no JSON object");
  Fields fields(root);
  std::int64_t version = 0;
  fields.number("version", version);
  if (fields.problem().empty() && version != kVersion) {
    return Error{ErrorKind::config, path + ": version " + std::to_string(version) +
                                        " of the record is not known to this flakestat (it knows 1): use the "
                                        "flakestat that wrote it"};
  }
  HuntRecord record;
  read_record(fields, record);
  if (!fields.problem().empty()) return damaged(fields.problem());
  if (const auto problem = contradiction(record); !problem.empty()) return damaged(problem);
  return record;
}

}  // namespace flakestat::store
