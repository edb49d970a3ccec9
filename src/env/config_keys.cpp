#include "env/config_keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/byte_size.hpp"
#include "base/duration.hpp"
#include "base/strings.hpp"

namespace flakestat::env {
namespace {

using Type = Setting::Type;

constexpr double kMostCount = 1e9;
constexpr double kMostWorkers = 1024;

// A member of Config, of its ScoringConfig or of its RunConfig, whichever has it.
template <auto Member>
auto& field(auto& config) {
  if constexpr (requires { config.*Member; }) return config.*Member;
  else if constexpr (requires { config.scoring.*Member; }) return config.scoring.*Member;
  else return config.run.*Member;
}

template <auto Member>
using ValueOf = typename std::remove_cvref_t<decltype(field<Member>(std::declval<Config&>()))>::value_type;

template <auto Member>
// NOLINTNEXTLINE(performance-unnecessary-value-param): the type of the table's functions
void set_text_of(Config& config, std::string value) {
  field<Member>(config) = std::move(value);
}

template <auto Member>
void set_number_of(Config& config, double value) {
  using Value = ValueOf<Member>;
  if constexpr (std::is_same_v<Value, std::chrono::milliseconds>) field<Member>(config) = Value(std::llround(value));
  else field<Member>(config) = static_cast<Value>(value);
}

std::string words_of(std::chrono::milliseconds duration) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits = {
      {{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
  std::string out;
  auto rest = duration.count();
  for (const auto& [unit, size] : kUnits) {
    if (rest / size > 0) out.append(std::to_string(rest / size)).append(unit);
    rest %= size;
  }
  return out.empty() ? "0s" : out;
}

template <auto Member>
SettingValue get_of(const Config& config) {
  using Value = ValueOf<Member>;
  const auto& value = field<Member>(config);
  if (!value) return {};
  if constexpr (std::is_same_v<Value, std::chrono::milliseconds>) return words_of(*value);
  else if constexpr (std::is_same_v<Value, int>) return std::int64_t{*value};
  else return *value;
}

template <auto Member>
constexpr Setting text(std::string_view section, std::string_view key, std::string_view variable,
                       std::string_view words = {}) {
  return {section, key, variable, Type::text, 0, 0, false, words, {}, set_text_of<Member>, nullptr, get_of<Member>};
}

template <auto Member>
constexpr Setting count(std::string_view section, std::string_view key, std::string_view variable, double low,
                        double high = kMostCount) {
  return {section, key, variable, Type::count,           low,           high, false,
          {},      {},  nullptr,  set_number_of<Member>, get_of<Member>};
}

template <auto Member>
constexpr Setting number(std::string_view key, std::string_view variable, double low, double high, bool open) {
  return {"scoring", key, variable, Type::number,          low,           high, open,
          {},        {},  nullptr,  set_number_of<Member>, get_of<Member>};
}

template <auto Member>
constexpr Setting probability(std::string_view key, std::string_view variable) {
  return number<Member>(key, variable, 0, 1, false);
}

template <auto Member>
constexpr Setting duration(std::string_view section, std::string_view key, std::string_view variable) {
  return {section, key, variable, Type::duration, 0, 0, false, {}, {}, nullptr, set_number_of<Member>, get_of<Member>};
}

// Kept as it was written.
template <auto Member>
constexpr Setting size(std::string_view section, std::string_view key, std::string_view variable) {
  return {section, key, variable, Type::size, 0, 0, false, {}, {}, set_text_of<Member>, nullptr, get_of<Member>};
}

template <auto Member>
constexpr Setting strings(std::string_view section, std::string_view key) {
  return {section, key,
          {},      Type::strings,
          0,       0,
          false,   {},
          {},      [](Config& config, std::string value) { field<Member>(config).push_back(std::move(value)); },
          nullptr, [](const Config& config) -> SettingValue { return field<Member>(config); }};
}

template <auto Member>
constexpr Setting yes_no(std::string_view section, std::string_view key, std::string_view variable) {
  return {section, key, variable, Type::yes_no, 0, 1, false, {}, {}, nullptr, set_number_of<Member>, get_of<Member>};
}

constexpr Setting second_name(std::string_view same_as, std::string_view key, Setting setting) {
  setting.same_as = same_as;
  setting.key = key;
  setting.variable = {};
  return setting;
}

constexpr Setting in_scoring(Setting setting) {
  setting.section = "scoring";
  return setting;
}

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

SettingValue get_break_rate(const Config& config) {
  if (config.scoring.break_rate) return *config.scoring.break_rate;
  if (config.scoring.break_rate_auto) return std::string("auto");
  return {};
}

void set_workers(Config& config, double value) {
  config.run.workers = std::to_string(static_cast<std::int64_t>(value));
}

using S = ScoringConfig;
using R = RunConfig;

constexpr auto kDefaultBranch = text<&Config::default_branch>("", "default_branch", "FLAKESTAT_DEFAULT_BRANCH");
constexpr auto kAlpha = number<&S::alpha>("alpha", "FLAKESTAT_ALPHA", 0, 1, true);
constexpr auto kThreshold = probability<&S::threshold>("threshold", "FLAKESTAT_THRESHOLD");

constexpr std::array kSettings = {
    Setting{"",
            "command",
            "FLAKESTAT_COMMAND",
            Type::command,
            0,
            0,
            false,
            {},
            {},
            set_command,
            nullptr,
            get_of<&Config::command>},
    text<&Config::junit>("", "junit", "FLAKESTAT_JUNIT"),
    count<&Config::runs>("", "runs", "FLAKESTAT_RUNS", 1),
    count<&Config::parallel>("", "parallel", "FLAKESTAT_PARALLEL", 1),
    text<&Config::select>("", "select", "FLAKESTAT_SELECT"),
    text<&Config::id>("", "id", "FLAKESTAT_ID"),
    text<&Config::join>("", "join", "FLAKESTAT_JOIN"),
    text<&Config::dir>("", "dir", "FLAKESTAT_DIR"),
    duration<&Config::timeout>("", "timeout", "FLAKESTAT_TIMEOUT"),
    size<&Config::output_limit>("", "output_limit", "FLAKESTAT_OUTPUT_LIMIT"),
    kDefaultBranch,
    text<&S::model>("scoring", "model", "FLAKESTAT_MODEL", "bayes flip-rate"),
    count<&S::min_runs>("scoring", "min_runs", "FLAKESTAT_MIN_RUNS", 1),
    Setting{"scoring",
            "break_rate",
            "FLAKESTAT_BREAK_RATE",
            Type::break_rate,
            0,
            1,
            true,
            {},
            {},
            set_break_rate_word,
            set_break_rate,
            get_break_rate},
    probability<&S::break_rate_feature>("break_rate_feature", "FLAKESTAT_BREAK_RATE_FEATURE"),
    probability<&S::start_broken>("start_broken", "FLAKESTAT_START_BROKEN"),
    probability<&S::start_broken_feature>("start_broken_feature", "FLAKESTAT_START_BROKEN_FEATURE"),
    count<&S::start_streak>("scoring", "start_streak", "FLAKESTAT_START_STREAK", 0),
    probability<&S::shared_break>("shared_break", "FLAKESTAT_SHARED_BREAK"),
    probability<&S::shared_repair>("shared_repair", "FLAKESTAT_SHARED_REPAIR"),
    probability<&S::change_rate>("change_rate", "FLAKESTAT_CHANGE_RATE"),
    number<&S::noise_floor>("noise_floor", "FLAKESTAT_NOISE_FLOOR", 0, 0.5, true),
    number<&S::prior_flaky>("prior_flaky", "FLAKESTAT_PRIOR_FLAKY", 0, 1, true),
    probability<&S::enter>("enter", "FLAKESTAT_ENTER"),
    probability<&S::leave>("leave", "FLAKESTAT_LEAVE"),
    probability<&S::suspect>("suspect", "FLAKESTAT_SUSPECT"),
    kAlpha,
    second_name("scoring.alpha", "ewma_alpha", kAlpha),
    number<&S::same_commit_weight>("same_commit_weight", "FLAKESTAT_SAME_COMMIT_WEIGHT", 0, 1e6, true),
    number<&S::branch_weight>("branch_weight", "FLAKESTAT_BRANCH_WEIGHT", 0, 1, true),
    kThreshold,
    second_name("scoring.threshold", "flaky_threshold", kThreshold),
    probability<&S::suspect_threshold>("suspect_threshold", "FLAKESTAT_SUSPECT_THRESHOLD"),
    duration<&S::same_code_window>("scoring", "same_code_window", "FLAKESTAT_SAME_CODE_WINDOW"),
    second_name("default_branch", "default_branch", in_scoring(kDefaultBranch)),
    strings<&Config::context_keys>("context", "keys"),
    strings<&Config::context_ignore>("context", "ignore"),
    text<&Config::quarantine_format>("quarantine", "format", "FLAKESTAT_QUARANTINE_FORMAT"),
    text<&Config::quarantine_file>("quarantine", "file", "FLAKESTAT_QUARANTINE_FILE"),
    Setting{"run",
            "workers",
            "FLAKESTAT_WORKERS",
            Type::workers,
            0,
            kMostWorkers,
            false,
            "auto logical",
            {},
            set_text_of<&R::workers>,
            set_workers,
            get_of<&R::workers>},
    text<&R::dist>("run", "dist", "FLAKESTAT_DIST", "load loadfile loadscope loadgroup each"),
    duration<&R::worker_timeout>("run", "worker_timeout", "FLAKESTAT_WORKER_TIMEOUT"),
    count<&R::reruns>("run", "reruns", "FLAKESTAT_RERUNS", 0, 1000),
    duration<&R::rerun_delay>("run", "rerun_delay", "FLAKESTAT_RERUN_DELAY"),
    strings<&R::only_rerun>("run", "only_rerun"),
    strings<&R::rerun_except>("run", "rerun_except"),
    count<&R::rerun_breaker>("run", "rerun_breaker", "FLAKESTAT_RERUN_BREAKER", 0, 1e6),
    count<&R::max_suite_reruns>("run", "max_suite_reruns", "FLAKESTAT_MAX_SUITE_RERUNS", 0, 1e6),
    yes_no<&R::fail_on_flaky>("run", "fail_on_flaky", "FLAKESTAT_FAIL_ON_FLAKY"),
    text<&R::output>("run", "output", "FLAKESTAT_OUTPUT", "bar dots verbose github gitlab teamcity tap json"),
    text<&R::junitxml>("run", "junitxml", "FLAKESTAT_JUNITXML"),
    text<&R::report_json>("run", "report_json", "FLAKESTAT_REPORT_JSON"),
};

std::string plain(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

std::string count_text(const Setting& setting) { return std::to_string(static_cast<std::int64_t>(setting.high)); }

Error expected(const Setting& setting) { return {ErrorKind::config, "expected " + expectation(setting)}; }

Result<void> set_word(const Setting& setting, std::string_view text, Config& config) {
  const auto words = split(setting.words, ' ');
  const bool known = setting.words.empty() || std::find(words.begin(), words.end(), text) != words.end();
  if (text.empty() || !known || text.find('\0') != std::string_view::npos) return expected(setting);
  setting.set_text(config, std::string(text));
  return {};
}

Result<void> set_yes_no(const Setting& setting, std::string_view text, Config& config) {
  const bool yes = text == "true" || text == "1";
  if (!yes && text != "false" && text != "0") return expected(setting);
  setting.set_number(config, yes ? 1 : 0);
  return {};
}

Result<void> set_duration(const Setting& setting, std::string_view text, Config& config) {
  const auto parsed = parse_duration(text);
  if (!parsed) return Error{ErrorKind::config, parsed.error().message};
  setting.set_number(config, static_cast<double>(parsed->count()));
  return {};
}

Result<void> set_size(const Setting& setting, std::string_view text, Config& config) {
  const auto parsed = parse_byte_size(text);
  if (!parsed) return Error{ErrorKind::config, parsed.error().message};
  setting.set_text(config, std::string(text));
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

std::string setting_path(const Setting& setting) {
  if (!setting.same_as.empty()) return std::string(setting.same_as);
  return setting.section.empty() ? std::string(setting.key)
                                 : std::string(setting.section) + '.' + std::string(setting.key);
}

std::string setting_flag(const Setting& setting) {
  // A flag that is repeated is named in the singular, after its section.
  if (setting.section == "context") return setting.key == "keys" ? "--context-key" : "--context-ignore";
  if (setting.section == "quarantine") return {};
  std::string flag = "--" + std::string(setting.key);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string expectation(const Setting& setting) {
  switch (setting.type) {
    case Type::text:
      if (setting.words.empty()) return "a string that is not empty";
      return "one of: " + std::string(setting.words);
    case Type::count:
      if (setting.high < kMostCount) return "a whole number from " + plain(setting.low) + " to " + count_text(setting);
      return "a whole number of at least " + plain(setting.low);
    case Type::number:
      return "a number " + std::string(setting.open ? "above " : "from ") + plain(setting.low) +
             (setting.open ? ", at most " : " to ") + plain(setting.high);
    case Type::break_rate: return "\"auto\" or a number above 0, at most 1";
    case Type::duration: return "a duration: 90s, 5m, 1h30m, or seconds as a number";
    case Type::size: return "a size: 64K, 10MB, or bytes as a number";
    case Type::command: return "a list of strings, or a string, that is not empty";
    case Type::workers: return "\"auto\" or a whole number from 0 to " + count_text(setting);
    case Type::yes_no: return "true or false";
    case Type::strings: return "a list of strings";
  }
  return {};
}

Result<void> set_from_number(const Setting& setting, double value, Config& config) {
  if (setting.type == Type::duration) return set_duration(setting, plain(value), config);
  if (setting.type == Type::size) return set_size(setting, plain(value), config);
  const bool counts = setting.type == Type::count || setting.type == Type::workers;
  const bool numeric = counts || setting.type == Type::number || setting.type == Type::break_rate;
  const bool whole = !counts || value == std::floor(value);
  const bool inside = value >= setting.low && value <= setting.high && !(setting.open && value == setting.low);
  if (!numeric || !whole || !inside) return expected(setting);
  setting.set_number(config, value);
  return {};
}

Result<void> set_from_text(const Setting& setting, std::string_view text, Config& config) {
  switch (setting.type) {
    case Type::text: return set_word(setting, text, config);
    case Type::duration: return set_duration(setting, text, config);
    case Type::size: return set_size(setting, text, config);
    case Type::command: return set_words(setting, text, config);
    case Type::strings: return expected(setting);
    case Type::yes_no: return set_yes_no(setting, text, config);
    case Type::workers:
      if (!text.empty() && text.front() >= 'a') return set_word(setting, text, config);
      break;
    case Type::break_rate:
      if (text == "auto") {
        setting.set_text(config, std::string(text));
        return {};
      }
      [[fallthrough]];
    case Type::count:
    case Type::number: break;
  }
  const auto value = number_in<double>(text);
  if (!value) return expected(setting);
  return set_from_number(setting, *value, config);
}

}  // namespace flakestat::env
