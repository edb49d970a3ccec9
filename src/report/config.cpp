#include "report/config.hpp"

#include <array>
#include <charconv>

#include "report/words.hpp"
#include "text/table.hpp"

namespace flakestat::report {
namespace {

const char* word(ConfigOrigin origin) {
  switch (origin) {
    case ConfigOrigin::flag: return "flag";
    case ConfigOrigin::variable: return "variable";
    case ConfigOrigin::file: return "file";
    case ConfigOrigin::detected: return "detected";
    case ConfigOrigin::default_value: return "default";
  }
  return "";
}

// The shortest text that reads back as the same number.
std::string plain(double number) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

struct Shown {
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return plain(number); }
  std::string operator()(bool yes) const { return yes ? "true" : "false"; }
  std::string operator()(const std::vector<std::string>& words) const {
    return words.empty() ? "-" : quote_command(words);
  }
};

struct Written {
  text::JsonWriter& json;
  void operator()(std::monostate) const { json.null(); }
  void operator()(const std::string& text) const { json.value(text); }
  void operator()(std::int64_t number) const { json.value(number); }
  void operator()(double number) const { json.value(number); }
  void operator()(bool yes) const { json.value(yes); }
  void operator()(const std::vector<std::string>& words) const {
    json.begin_array();
    for (const auto& word : words) json.value(word);
    json.end_array();
  }
};

void write_optional(text::JsonWriter& json, const char* name, const std::string& text) {
  json.key(name);
  text.empty() ? json.null() : json.value(text);
}

}  // namespace

std::string config_json(const ConfigDocument& document, text::JsonStyle style) {
  text::JsonWriter json(style);
  json.begin_object();
  write_optional(json, "file", document.file);
  json.key("settings").begin_array();
  for (const auto& row : document.rows) {
    json.begin_object().field("key", row.key).key("value");
    std::visit(Written{json}, row.value);
    json.field("origin", word(row.origin));
    write_optional(json, "from", row.from);
    json.end_object();
  }
  return json.end_array().end_object().finish();
}

std::string config_table(const ConfigDocument& document, const text::Look& look) {
  text::Table table({{"setting"}, {"value"}, {"from"}});
  for (const auto& row : document.rows) {
    const bool said = !row.from.empty();
    table.add_row({{row.key},
                   {std::visit(Shown{}, row.value), said ? text::Tone::strong : text::Tone::plain},
                   {said ? row.from : word(row.origin), said ? text::Tone::plain : text::Tone::faint}});
  }
  return table.render(look);
}

}  // namespace flakestat::report
