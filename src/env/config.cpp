#include "env/config.hpp"

#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "env/config_keys.hpp"
#include "sys/file.hpp"

extern char** environ;

namespace flakestat::env {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kMostDepth = 32;

// Sections of the file that are objects of their own.
constexpr std::array<std::string_view, 7> kTopLevelOthers = {"version",    "scoring", "thresholds", "context",
                                                             "quarantine", "run",     "sanitise"};

// Variables that flakestat sets for its children or uses itself: never settings.
constexpr auto kOwnVariables = std::to_array<std::string_view>(
    {"FLAKESTAT_RUN", "FLAKESTAT_CORPUS", "FLAKESTAT_SOAK", "FLAKESTAT_SESSION", "FLAKESTAT_FLAKE_RETENTION_DAYS",
     // of the quarantine hooks
     "FLAKESTAT_QUARANTINE_LIST", "FLAKESTAT_JEST_ENVIRONMENT", "FLAKESTAT_VITEST_CONFIG", "FLAKESTAT_VITEST_SETUP",
     "FLAKESTAT_VITEST_ENTRY"});

std::string_view type_name(const element& value) {
  switch (value.type()) {
    case element_type::ARRAY: return "a list";
    case element_type::OBJECT: return "an object";
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE: return "a number";
    case element_type::STRING: return "a string";
    case element_type::BOOL: return "true or false";
    case element_type::NULL_VALUE: return "null";
  }
  return "something else";
}

const Setting* find_setting(std::string_view section, std::string_view key) {
  const auto all = settings();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Setting& s) { return s.section == section && s.key == key; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string_view> keys_of(std::string_view section) {
  std::vector<std::string_view> keys;
  for (const auto& setting : settings()) {
    if (setting.section == section) keys.push_back(setting.key);
  }
  if (section.empty()) keys.insert(keys.end(), kTopLevelOthers.begin(), kTopLevelOthers.end());
  if (section == "scoring") keys.push_back("thresholds");
  return keys;
}

std::string path_of(std::string_view section, std::string_view key) {
  return section.empty() ? std::string(key) : std::string(section) + '.' + std::string(key);
}

// Reads one file; everything it says goes into `loaded`.
class Reader {
 public:
  Reader(std::string name, LoadedConfig& loaded) : name_(std::move(name)), loaded_(loaded) {}

  Result<void> read(const object& root) {
    FLAKESTAT_TRY(check_version(root));
    return each(root, [&](std::string_view key, element value) { return top_level(key, value); });
  }

  [[nodiscard]] Error error(const std::string& message) const { return {ErrorKind::config, name_ + ": " + message}; }

 private:
  template <class Visit>
  static Result<void> each(const object& fields, const Visit& visit) {
    for (const auto field : fields) FLAKESTAT_TRY(visit(field.key, field.value));
    return {};
  }

  [[nodiscard]] Error wrong_type(const std::string& key, std::string_view expected, const element& value) const {
    return error(in_quotes(key) + ": expected " + std::string(expected) + ", found " + std::string(type_name(value)));
  }

  [[nodiscard]] Error unknown_key(std::string_view section, std::string_view key) const {
    const auto known = keys_of(section);
    auto message = "unknown key " + in_quotes(path_of(section, key));
    if (const auto nearest = nearest_name(key, known))
      return error(message + ", did you mean " + in_quotes(*nearest) + "?");
    message += "; known are";
    for (const auto& name : known) message.append(&name == known.data() ? " " : ", ").append(name);
    return error(message);
  }

  Result<void> check_version(const object& root) const {
    element value;
    if (root["version"].get(value) != simdjson::SUCCESS) return {};
    std::int64_t version = 0;
    if (value.get(version) != simdjson::SUCCESS) return wrong_type("version", "the number 1", value);
    // The predecessor wrote 0 for "not said".
    if (version == 0 || version == 1) return {};
    return error("version " + std::to_string(version) + " is not supported: this flakestat understands version 1");
  }

  Result<void> top_level(std::string_view key, const element& value) {
    if (key == "version") return {};
    if (key == "scoring" || key == "quarantine" || key == "context" || key == "run") return section(key, value);
    if (key == "thresholds") return thresholds("thresholds", value);
    if (key == "sanitise") return later_section(key, value);
    return setting("", key, value);
  }

  Result<void> section(std::string_view name, const element& value) {
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return wrong_type(std::string(name), "an object", value);
    return each(fields, [&](std::string_view key, const element& inner) -> Result<void> {
      if (name == "scoring" && key == "thresholds") return thresholds("scoring.thresholds", inner);
      return setting(name, key, inner);
    });
  }

  // The predecessor's thresholds: `flaky` and `suspect`, with or without `_threshold`. Others are kept out with a
  // warning, so that an old file still loads.
  Result<void> thresholds(const std::string& name, const element& value) {
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return wrong_type(name, "an object", value);
    return each(fields, [&](std::string_view key, const element& inner) -> Result<void> {
      const auto full = key == "flaky"     ? std::string_view("flaky_threshold")
                        : key == "suspect" ? std::string_view("suspect_threshold")
                                           : key;
      if (full == "flaky_threshold" || full == "suspect_threshold") return setting("scoring", full, inner);
      loaded_.warnings.push_back(name_ + ": " + in_quotes(path_of(name, key)) + " is not used");
      return {};
    });
  }

  Result<void> later_section(std::string_view name, const element& value) {
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return wrong_type(std::string(name), "an object", value);
    loaded_.warnings.push_back(name_ + ": this version does not use " + in_quotes(name));
    return {};
  }

  Result<void> strings(const std::string& key, const element& value, std::vector<std::string>& out) {
    simdjson::dom::array items;
    if (value.get(items) != simdjson::SUCCESS) return wrong_type(key, "a list of strings", value);
    for (const auto item : items) {
      std::string_view text;
      if (item.get(text) != simdjson::SUCCESS) return wrong_type(key, "a list of strings", item);
      if (text.find('\0') != std::string_view::npos) return error(in_quotes(key) + ": a string holds a NUL character");
      out.emplace_back(text);
    }
    return {};
  }

  Result<void> setting(std::string_view section, std::string_view key, const element& value) {
    const auto* known = find_setting(section, key);
    if (known == nullptr) return unknown_key(section, key);
    FLAKESTAT_TRY(set(*known, path_of(section, key), value));
    loaded_.config.said[setting_path(*known)] = SaidBy::file;
    return {};
  }

  Result<void> set(const Setting& known, const std::string& path, const element& value) {
    std::string_view text;
    double number = 0;
    bool yes = false;
    if (known.type == Setting::Type::yes_no) {
      if (value.get(yes) != simdjson::SUCCESS) return wrong_type(path, expectation(known), value);
      known.set_number(loaded_.config, yes ? 1 : 0);
      return {};
    }
    if (known.type == Setting::Type::strings) return list(known, path, value);
    if (known.type == Setting::Type::command && value.is_array()) return command(value);
    const bool takes_text = known.type != Setting::Type::count && known.type != Setting::Type::number;
    if (takes_text && value.get(text) == simdjson::SUCCESS)
      return named(path, set_from_text(known, text, loaded_.config));
    const bool takes_number = known.type != Setting::Type::text && known.type != Setting::Type::command;
    if (takes_number && value.get(number) == simdjson::SUCCESS) {
      return named(path, set_from_number(known, number, loaded_.config));
    }
    return wrong_type(path, expectation(known), value);
  }

  Result<void> list(const Setting& known, const std::string& path, const element& value) {
    std::vector<std::string> words;
    FLAKESTAT_TRY(strings(path, value, words));
    for (auto& word : words) known.set_text(loaded_.config, std::move(word));
    return {};
  }

  [[nodiscard]] Result<void> named(const std::string& path, const Result<void>& result) const {
    return result ? result : error(in_quotes(path) + ": " + result.error().message);
  }

  Result<void> command(const element& value) {
    std::vector<std::string> words;
    FLAKESTAT_TRY(strings("command", value, words));
    if (words.empty() || words.front().empty()) return error("\"command\": expected a program as the first word");
    loaded_.config.command = std::move(words);
    return {};
  }

  std::string name_;
  LoadedConfig& loaded_;
};

}  // namespace

std::string find_config(const std::string& directory) {
  std::error_code code;
  auto folder = std::filesystem::absolute(directory.empty() ? "." : directory, code).lexically_normal();
  if (code) return {};
  for (;;) {
    const auto candidate = folder / kConfigName;
    if (std::filesystem::exists(candidate, code)) return candidate.string();
    if (!folder.has_relative_path()) return {};
    folder = folder.parent_path();
  }
}

Result<LoadedConfig> parse_config(std::string_view json, const std::string& name) {
  LoadedConfig loaded;
  Reader reader(name, loaded);
  if (json.size() > kMostBytes) return reader.error("larger than 1 MiB: this is no config");
  if (json.starts_with("\xef\xbb\xbf")) json.remove_prefix(3);
  simdjson::dom::parser parser;
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS) return reader.error("out of memory");
  element root;
  if (const auto code = parser.parse(json.data(), json.size()).get(root); code != simdjson::SUCCESS) {
    return reader.error(std::string("not valid JSON: ") + simdjson::error_message(code));
  }
  object fields;
  if (root.get(fields) != simdjson::SUCCESS)
    return reader.error("expected an object, found " + std::string(type_name(root)));
  FLAKESTAT_TRY(reader.read(fields));
  return loaded;
}

Result<LoadedConfig> load_config(const std::string& directory) {
  const auto path = find_config(directory);
  if (path.empty()) return LoadedConfig{};
  const auto json = sys::read_file(path, kMostBytes);
  if (!json) return Error{ErrorKind::config, json.error().message};
  auto loaded = parse_config(*json, path);
  if (!loaded) return loaded;
  loaded->path = path;
  loaded->directory = std::filesystem::path(path).parent_path().string();
  return loaded;
}

Result<std::vector<std::string>> overlay_environment(std::span<const std::string> names, const EnvLookup& variable,
                                                     Config& config) {
  std::vector<std::string> warnings;
  std::vector<std::string_view> known;
  for (const auto& setting : settings()) {
    if (!setting.variable.empty()) known.push_back(setting.variable);
  }
  for (const auto& setting : settings()) {
    if (setting.variable.empty()) continue;
    const auto value = variable(setting.variable);
    if (!value || trim(*value).empty()) continue;
    const auto result = set_from_text(setting, trim(*value), config);
    if (!result) {
      return Error{ErrorKind::config, "variable " + std::string(setting.variable) + ": " + result.error().message +
                                          ", found " + in_quotes(*value)};
    }
    config.said[setting_path(setting)] = SaidBy::variable;
  }
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (std::find(kOwnVariables.begin(), kOwnVariables.end(), name) != kOwnVariables.end()) continue;
    const auto nearest = nearest_name(name, known);
    warnings.push_back("variable " + in_quotes(name) + " is not known" +
                       (nearest ? ", did you mean " + std::string(*nearest) + "?" : ""));
  }
  return warnings;
}

std::vector<std::string> variable_names(std::string_view prefix) {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with(prefix)) names.emplace_back(text.substr(0, text.find('=')));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace flakestat::env
