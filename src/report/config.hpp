// The settings in force, each with who said it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// Nothing, a text, a whole number, a number, yes or no, or words.
using ConfigValue = std::variant<std::monostate, std::string, std::int64_t, double, bool, std::vector<std::string>>;

/// `detected`: from the CI system or the repository.
enum class ConfigOrigin : std::uint8_t { flag, variable, file, detected, default_value };

struct ConfigRow {
  std::string key;  ///< `scoring.min_runs`
  ConfigValue value;
  ConfigOrigin origin = ConfigOrigin::default_value;
  std::string from;  ///< the flag, the variable or the path of the file; empty for the others
};

struct ConfigDocument {
  std::string file;  ///< path of the configuration file; empty: there is none
  std::vector<ConfigRow> rows;
};

/// docs/schema/config.schema.json.
[[nodiscard]] std::string config_json(const ConfigDocument& document, text::JsonStyle style = text::JsonStyle::pretty);

[[nodiscard]] std::string config_table(const ConfigDocument& document, const text::Look& look);

}  // namespace flakestat::report
