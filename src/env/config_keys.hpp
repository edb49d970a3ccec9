// The scalar settings: one table for the keys of the file and the names of the variables.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "env/config.hpp"

namespace flakestat::env {

/// What a setting accepts; `range` is part of the message.
struct Setting {
  enum class Type { text, count, number, duration, command, break_rate };

  std::string_view section;   ///< "" top level, "scoring", "quarantine"
  std::string_view key;       ///< in the file
  std::string_view variable;  ///< FLAKESTAT_...; empty: no variable (a second name of a key)
  Type type;
  double low;  ///< for count and number: the range, both ends allowed unless `open`
  double high;
  bool open;               ///< the low end is not allowed
  std::string_view words;  ///< for text: the allowed words, blank-separated; empty: any
  void (*set_text)(Config&, std::string);
  void (*set_number)(Config&, double);
};

/// All settings, top level first.
[[nodiscard]] std::span<const Setting> settings();

/// Sets from the text of a variable. The error says what is expected, without naming the setting.
[[nodiscard]] Result<void> set_from_text(const Setting& setting, std::string_view text, Config& config);

/// Sets a number that is known to be one.
[[nodiscard]] Result<void> set_from_number(const Setting& setting, double value, Config& config);

/// "a whole number of at least 1": what the setting expects, for messages.
[[nodiscard]] std::string expectation(const Setting& setting);

}  // namespace flakestat::env
