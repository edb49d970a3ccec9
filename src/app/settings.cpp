#include "app/settings.hpp"

#include <filesystem>
#include <utility>

#include "app/scoring_flags.hpp"
#include "env/git.hpp"

namespace flakestat::app {
namespace {

// Configured scoring values as if they had been flags, so that one function lays either over the defaults.
ScoringFlags as_flags(const env::ScoringConfig& config) {
  ScoringFlags flags;
  flags.model = config.model;
  if (config.break_rate_auto) flags.break_rate = "auto";
  flags.break_rate_feature = config.break_rate_feature;
  flags.start_broken = config.start_broken;
  flags.start_broken_feature = config.start_broken_feature;
  flags.start_streak = config.start_streak;
  flags.shared_break = config.shared_break;
  flags.shared_repair = config.shared_repair;
  flags.change_rate = config.change_rate;
  flags.noise_floor = config.noise_floor;
  flags.prior_flaky = config.prior_flaky;
  flags.enter = config.enter;
  flags.leave = config.leave;
  flags.suspect = config.suspect;
  flags.min_runs = config.min_runs;
  flags.alpha = config.alpha;
  flags.same_commit_weight = config.same_commit_weight;
  flags.branch_weight = config.branch_weight;
  flags.threshold = config.threshold;
  flags.suspect_threshold = config.suspect_threshold;
  return flags;
}

Result<void> apply_config(const env::Config& config, stats::ScoringOptions& scoring) {
  auto flags = as_flags(config.scoring);
  flags.context_keys = config.context_keys;
  flags.context_ignore = config.context_ignore;
  FLAKESTAT_TRY(apply(flags, scoring));
  if (config.scoring.break_rate) scoring.bayes.break_rate = config.scoring.break_rate;
  if (config.scoring.same_code_window) scoring.same_code_window_ms = config.scoring.same_code_window->count();
  return {};
}

Result<env::LoadedConfig> load(const World& world) {
  auto loaded = env::load_config(world.directory);
  if (!loaded) return loaded;
  auto warnings = env::overlay_environment(world.own_variables, world.env, loaded->config);
  if (!warnings) return warnings.error();
  for (const auto& warning : loaded->warnings) world.warn("flakestat: " + warning);
  for (const auto& warning : *warnings) world.warn("flakestat: " + warning);
  return loaded;
}

// A `dir` in the file is relative to the file; a flag or a variable is relative to the working directory.
std::string state_dir(const World& world, const CommonFlags& common, const env::LoadedConfig& loaded) {
  if (common.dir) return *common.dir;
  if (const auto variable = world.env("FLAKESTAT_DIR"); variable && !variable->empty()) return *variable;
  const std::filesystem::path base = loaded.directory.empty() || loaded.directory == world.directory
                                         ? std::filesystem::path{}
                                         : std::filesystem::path(loaded.directory);
  return (base / loaded.config.dir.value_or(".flakestat")).string();
}

}  // namespace

Result<Settings> resolve_settings(const World& world, const CommonFlags& common, const ScoringFlags* scoring) {
  auto loaded = load(world);
  if (!loaded) return loaded.error();
  Settings settings;
  settings.dir = state_dir(world, common, *loaded);
  settings.config = std::move(loaded->config);
  settings.config_path = std::move(loaded->path);
  settings.config_directory = std::move(loaded->directory);
  FLAKESTAT_TRY(apply_config(settings.config, settings.scoring));
  if (scoring != nullptr) FLAKESTAT_TRY(apply(*scoring, settings.scoring));
  settings.min_runs_given = settings.config.scoring.min_runs || (scoring != nullptr && scoring->min_runs);
  if (settings.scoring.model == stats::Model::bayes) {
    settings.severity =
        scoring != nullptr && scoring->threshold ? scoring->threshold : settings.config.scoring.threshold;
  }
  return settings;
}

std::string default_branch(const World& world, const CommonFlags& common, const Settings& settings,
                           const std::optional<env::CiRun>& ci) {
  if (common.default_branch) return *common.default_branch;
  if (settings.config.default_branch) return *settings.config.default_branch;
  if (ci && !ci->default_branch.empty()) return ci->default_branch;
  return env::read_git_names(world.directory).default_branch;
}

text::Look look_of(const World& world) { return {static_cast<std::size_t>(world.width), world.color}; }

}  // namespace flakestat::app
