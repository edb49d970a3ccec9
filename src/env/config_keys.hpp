// The settings: one table for the keys of the file, the names of the variables and flags, and what is in force.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "env/config.hpp"

namespace flakestat::env {

/// What a setting holds: nothing, a text (durations as 1h30m), a whole number, a number, yes or no, or words.
using SettingValue = std::variant<std::monostate, std::string, std::int64_t, double, bool, std::vector<std::string>>;

/// What a setting accepts; `range` is part of the message.
struct Setting {
  enum class Type { text, count, number, duration, size, command, break_rate, workers, yes_no, strings };

  std::string_view section;   ///< "" top level, "scoring", "context", "quarantine", "run"
  std::string_view key;       ///< in the file
  std::string_view variable;  ///< FLAKESTAT_...; empty: no variable
  Type type;
  double low;  ///< for count and number: the range, both ends allowed unless `open`
  double high;
  bool open;                               ///< the low end is not allowed
  std::string_view words;                  ///< for text: the allowed words, blank-separated; empty: any
  std::string_view same_as;                ///< a second name of the setting with this path; empty: the first
  void (*set_text)(Config&, std::string);  ///< for strings: adds one
  void (*set_number)(Config&, double);
  SettingValue (*get)(const Config&);
};

/// All settings, top level first.
[[nodiscard]] std::span<const Setting> settings();

/// Sets from the text of a variable. The error says what is expected, without naming the setting.
[[nodiscard]] Result<void> set_from_text(const Setting& setting, std::string_view text, Config& config);

/// Sets a number that is known to be one.
[[nodiscard]] Result<void> set_from_number(const Setting& setting, double value, Config& config);

/// `scoring.min_runs`; of a second name the first one.
[[nodiscard]] std::string setting_path(const Setting& setting);

/// The flag that says the same on the command line: `--min-runs`; not every command has it. Empty: none does.
[[nodiscard]] std::string setting_flag(const Setting& setting);

/// "a whole number of at least 1": what the setting expects, for messages.
[[nodiscard]] std::string expectation(const Setting& setting);

}  // namespace flakestat::env
