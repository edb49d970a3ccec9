#include "env/config_keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/duration.hpp"
#include "base/strings.hpp"

namespace flakestat::env {
namespace {

using Type = Setting::Type;

constexpr double kMostCount = 1e9;

constexpr Setting text(std::string_view section, std::string_view key, std::string_view variable,
                       void (*set)(Config&, std::string), std::string_view words = {}) {
  return {section, key, variable, Type::text, 0, 0, false, words, set, nullptr};
}

constexpr Setting count(std::string_view section, std::string_view key, std::string_view variable, double low,
                        void (*set)(Config&, double)) {
  return {section, key, variable, Type::count, low, kMostCount, false, {}, nullptr, set};
}

constexpr Setting number(std::string_view key, std::string_view variable, double low, double high, bool open,
                         void (*set)(Config&, double)) {
  return {"scoring", key, variable, Type::number, low, high, open, {}, nullptr, set};
}

constexpr Setting duration(std::string_view section, std::string_view key, std::string_view variable,
                           void (*set)(Config&, double)) {
  return {section, key, variable, Type::duration, 0, 0, false, {}, nullptr, set};
}

constexpr Setting probability(std::string_view key, std::string_view variable, void (*set)(Config&, double)) {
  return number(key, variable, 0, 1, false, set);
}

template <std::optional<double> ScoringConfig::*Member>
void set_scoring(Config& config, double value) {
  config.scoring.*Member = value;
}

template <std::optional<std::string> Config::*Member>
void set_string(Config& config, std::string value) {
  config.*Member = std::move(value);
}

template <std::optional<int> Config::*Member>
void set_int(Config& config, double value) {
  config.*Member = static_cast<int>(value);
}

template <std::optional<int> ScoringConfig::*Member>
void set_scoring_int(Config& config, double value) {
  config.scoring.*Member = static_cast<int>(value);
}

std::chrono::milliseconds millis(double value) { return std::chrono::milliseconds(std::llround(value)); }

void set_timeout(Config& config, double value) { config.timeout = millis(value); }

void set_window(Config& config, double value) { config.scoring.same_code_window = millis(value); }

void set_model(Config& config, std::string value) { config.scoring.model = std::move(value); }

// NOLINTNEXTLINE(performance-unnecessary-value-param): the type of the table's functions
void set_command(Config& config, std::string value) {
  if (auto words = split_command(value)) config.command = std::move(*words);
}

void set_break_rate(Config& config, double value) {
  config.scoring.break_rate = value;
  config.scoring.break_rate_auto = false;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the type of the table's functions
void set_break_rate_word(Config& config, std::string) {
  config.scoring.break_rate.reset();
  config.scoring.break_rate_auto = true;
}

using S = ScoringConfig;

constexpr std::array kSettings = {
    Setting{"", "command", "FLAKESTAT_COMMAND", Type::command, 0, 0, false, {}, set_command, nullptr},
    text("", "junit", "FLAKESTAT_JUNIT", set_string<&Config::junit>),
    count("", "runs", "FLAKESTAT_RUNS", 1, set_int<&Config::runs>),
    count("", "parallel", "FLAKESTAT_PARALLEL", 1, set_int<&Config::parallel>),
    text("", "dir", "FLAKESTAT_DIR", set_string<&Config::dir>),
    duration("", "timeout", "FLAKESTAT_TIMEOUT", set_timeout),
    text("", "default_branch", "FLAKESTAT_DEFAULT_BRANCH", set_string<&Config::default_branch>),
    text("scoring", "model", "FLAKESTAT_MODEL", set_model, "bayes flip-rate"),
    count("scoring", "min_runs", "FLAKESTAT_MIN_RUNS", 1, set_scoring_int<&S::min_runs>),
    Setting{"scoring",
            "break_rate",
            "FLAKESTAT_BREAK_RATE",
            Type::break_rate,
            0,
            1,
            true,
            {},
            set_break_rate_word,
            set_break_rate},
    probability("break_rate_feature", "FLAKESTAT_BREAK_RATE_FEATURE", set_scoring<&S::break_rate_feature>),
    probability("start_broken", "FLAKESTAT_START_BROKEN", set_scoring<&S::start_broken>),
    probability("start_broken_feature", "FLAKESTAT_START_BROKEN_FEATURE", set_scoring<&S::start_broken_feature>),
    count("scoring", "start_streak", "FLAKESTAT_START_STREAK", 0, set_scoring_int<&S::start_streak>),
    probability("shared_break", "FLAKESTAT_SHARED_BREAK", set_scoring<&S::shared_break>),
    probability("shared_repair", "FLAKESTAT_SHARED_REPAIR", set_scoring<&S::shared_repair>),
    probability("change_rate", "FLAKESTAT_CHANGE_RATE", set_scoring<&S::change_rate>),
    number("noise_floor", "FLAKESTAT_NOISE_FLOOR", 0, 0.5, true, set_scoring<&S::noise_floor>),
    number("prior_flaky", "FLAKESTAT_PRIOR_FLAKY", 0, 1, true, set_scoring<&S::prior_flaky>),
    probability("enter", "FLAKESTAT_ENTER", set_scoring<&S::enter>),
    probability("leave", "FLAKESTAT_LEAVE", set_scoring<&S::leave>),
    probability("suspect", "FLAKESTAT_SUSPECT", set_scoring<&S::suspect>),
    number("alpha", "FLAKESTAT_ALPHA", 0, 1, true, set_scoring<&S::alpha>),
    number("ewma_alpha", "", 0, 1, true, set_scoring<&S::alpha>),
    number("same_commit_weight", "FLAKESTAT_SAME_COMMIT_WEIGHT", 0, 1e6, true, set_scoring<&S::same_commit_weight>),
    number("branch_weight", "FLAKESTAT_BRANCH_WEIGHT", 0, 1, true, set_scoring<&S::branch_weight>),
    probability("threshold", "FLAKESTAT_THRESHOLD", set_scoring<&S::threshold>),
    probability("flaky_threshold", "", set_scoring<&S::threshold>),
    probability("suspect_threshold", "FLAKESTAT_SUSPECT_THRESHOLD", set_scoring<&S::suspect_threshold>),
    duration("scoring", "same_code_window", "FLAKESTAT_SAME_CODE_WINDOW", set_window),
    text("scoring", "default_branch", "", set_string<&Config::default_branch>),
    text("quarantine", "format", "FLAKESTAT_QUARANTINE_FORMAT", set_string<&Config::quarantine_format>),
    text("quarantine", "file", "FLAKESTAT_QUARANTINE_FILE", set_string<&Config::quarantine_file>),
};

std::string plain(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

Error expected(const Setting& setting) { return {ErrorKind::config, "expected " + expectation(setting)}; }

std::optional<double> read_number(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<void> set_word(const Setting& setting, std::string_view text, Config& config) {
  const auto words = split(setting.words, ' ');
  const bool known = setting.words.empty() || std::find(words.begin(), words.end(), text) != words.end();
  if (text.empty() || !known || text.find('\0') != std::string_view::npos) return expected(setting);
  setting.set_text(config, std::string(text));
  return {};
}

Result<void> set_duration(const Setting& setting, std::string_view text, Config& config) {
  const auto parsed = parse_duration(text);
  if (!parsed) return Error{ErrorKind::config, parsed.error().message};
  setting.set_number(config, static_cast<double>(parsed->count()));
  return {};
}

Result<void> set_words(const Setting& setting, std::string_view text, Config& config) {
  const auto words = split_command(text);
  if (!words) return Error{ErrorKind::config, words.error().message};
  if (words->empty()) return expected(setting);
  setting.set_text(config, std::string(text));
  return {};
}

}  // namespace

std::span<const Setting> settings() { return kSettings; }

std::string expectation(const Setting& setting) {
  switch (setting.type) {
    case Type::text:
      if (setting.words.empty()) return "a string that is not empty";
      return "one of: " + std::string(setting.words);
    case Type::count: return "a whole number of at least " + plain(setting.low);
    case Type::number:
      return "a number " + std::string(setting.open ? "above " : "from ") + plain(setting.low) +
             (setting.open ? ", at most " : " to ") + plain(setting.high);
    case Type::break_rate: return "\"auto\" or a number above 0, at most 1";
    case Type::duration: return "a duration: 90s, 5m, 1h30m, or seconds as a number";
    case Type::command: return "a list of strings, or a string, that is not empty";
  }
  return {};
}

Result<void> set_from_number(const Setting& setting, double value, Config& config) {
  if (setting.type == Type::duration) return set_duration(setting, plain(value), config);
  const bool numeric = setting.type == Type::count || setting.type == Type::number || setting.type == Type::break_rate;
  const bool whole = setting.type != Type::count || value == std::floor(value);
  const bool inside = value >= setting.low && value <= setting.high && !(setting.open && value == setting.low);
  if (!numeric || !whole || !inside) return expected(setting);
  setting.set_number(config, value);
  return {};
}

Result<void> set_from_text(const Setting& setting, std::string_view text, Config& config) {
  switch (setting.type) {
    case Type::text: return set_word(setting, text, config);
    case Type::duration: return set_duration(setting, text, config);
    case Type::command: return set_words(setting, text, config);
    case Type::break_rate:
      if (text == "auto") {
        setting.set_text(config, std::string(text));
        return {};
      }
      [[fallthrough]];
    case Type::count:
    case Type::number: break;
  }
  const auto value = read_number(text);
  if (!value) return expected(setting);
  return set_from_number(setting, *value, config);
}

}  // namespace flakestat::env
