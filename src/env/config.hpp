// `.flakestat.json` and the FLAKESTAT_* variables (design, section 7). Precedence: flags > environment > config >
// defaults; this file knows the two in the middle.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "env/ci.hpp"

namespace flakestat::env {

inline constexpr std::string_view kConfigName = ".flakestat.json";

/// Scoring parameters by their names in docs/scoring.md, and the predecessor's. Nothing: not said.
struct ScoringConfig {
  std::optional<std::string> model;  ///< "bayes" or "flip-rate"
  std::optional<int> min_runs;
  std::optional<double> break_rate;
  bool break_rate_auto = false;  ///< "auto" was said, which also undoes a number said before
  std::optional<double> break_rate_feature;
  std::optional<double> start_broken;
  std::optional<double> start_broken_feature;
  std::optional<int> start_streak;
  std::optional<double> shared_break;
  std::optional<double> shared_repair;
  std::optional<double> change_rate;
  std::optional<double> noise_floor;
  std::optional<double> prior_flaky;
  std::optional<double> enter;
  std::optional<double> leave;
  std::optional<double> suspect;
  std::optional<double> alpha;  ///< also `ewma_alpha`
  std::optional<double> same_commit_weight;
  std::optional<double> branch_weight;
  std::optional<double> threshold;          ///< also `flaky_threshold` and `thresholds.flaky`
  std::optional<double> suspect_threshold;  ///< also `thresholds.suspect`
  std::optional<std::chrono::milliseconds> same_code_window;
};

/// What `run` takes when no flag says it: the keys of `run` in the file.
struct RunConfig {
  std::optional<std::string> workers;  ///< "auto", "logical" or a whole number
  std::optional<std::string> dist;
  std::optional<std::chrono::milliseconds> worker_timeout;
  std::optional<int> reruns;
  std::optional<std::chrono::milliseconds> rerun_delay;
  std::vector<std::string> only_rerun;
  std::vector<std::string> rerun_except;
  std::optional<int> rerun_breaker;
  std::optional<int> max_suite_reruns;
  std::optional<bool> fail_on_flaky;
  std::optional<std::string> output;
  std::optional<std::string> junitxml;
  std::optional<std::string> report_json;
};

/// Who said a value that is neither a flag nor a default.
enum class SaidBy : std::uint8_t { file, variable };

/// Everything is optional; paths are as written (see LoadedConfig::directory).
struct Config {
  std::optional<std::vector<std::string>> command;
  std::optional<std::string> junit;
  std::optional<int> runs;
  std::optional<int> parallel;
  std::optional<std::string> select;  ///< hunt: a command for some tests only, with {tests}
  std::optional<std::string> id;      ///< how {tests} spells a test
  std::optional<std::string> join;
  std::optional<std::string> dir;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<std::string> output_limit;  ///< a size: `64K`
  std::optional<std::string> default_branch;
  std::optional<std::string> quarantine_format;
  std::optional<std::string> quarantine_file;
  std::vector<std::string> context_keys;
  std::vector<std::string> context_ignore;
  ScoringConfig scoring;
  RunConfig run;
  std::map<std::string, SaidBy> said;  ///< by the path of the setting, `scoring.min_runs`; the last one who said it
};

struct LoadedConfig {
  Config config;
  std::string path;       ///< of the file; empty: there is none, which is fine
  std::string directory;  ///< the folder that relative paths in the file are relative to
  std::vector<std::string> warnings;
};

/// The nearest `.flakestat.json` in `directory` or above; empty when there is none.
[[nodiscard]] std::string find_config(const std::string& directory);

/// Reads the nearest config of `directory`. No file is an empty config. Errors are of kind config and name the file,
/// the key and what is expected; for an unknown key the nearest known one.
[[nodiscard]] Result<LoadedConfig> load_config(const std::string& directory);

/// The text of a config file, at most 1 MiB. Pure. `name` stands in messages.
[[nodiscard]] Result<LoadedConfig> parse_config(std::string_view json, const std::string& name);

/// Overlays FLAKESTAT_* variables on `config`. `names`: the names of all set variables that begin with FLAKESTAT_ (the
/// caller's list; values are read through `variable` and only for known names). Unknown ones are warned about, except
/// those that flakestat sets or uses itself. An empty value says nothing. Errors name the variable and are of kind
/// config.
[[nodiscard]] Result<std::vector<std::string>> overlay_environment(std::span<const std::string> names,
                                                                   const EnvLookup& variable, Config& config);

/// Names of this process's variables that begin with `prefix`; no value is looked at.
[[nodiscard]] std::vector<std::string> variable_names(std::string_view prefix);

}  // namespace flakestat::env
