// What is in force for one invocation: flags over FLAKESTAT_* variables over .flakestat.json over defaults.
#pragma once

#include <optional>
#include <string>

#include "app/requests.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "env/ci.hpp"
#include "env/config.hpp"
#include "report/options.hpp"
#include "stats/scoring.hpp"

namespace flakestat::app {

struct Settings {
  std::string dir = ".flakestat";
  env::Config config;              ///< configuration file and environment, merged
  std::string config_path;         ///< of the configuration file; empty: there is none
  std::string config_directory;    ///< what the file's relative paths are relative to
  stats::ScoringOptions scoring;   ///< default_branch excepted: see default_branch
  bool min_runs_given = false;     ///< by flag, variable or file: then a burst keeps it too
  std::optional<double> severity;  ///< bayes: rows below this lower bound are left out
};

/// Reads the configuration and lays the variables and flags over it; warns of unknown variables through `world`.
[[nodiscard]] Result<Settings> resolve_settings(const World& world, const CommonFlags& common,
                                                const ScoringFlags* scoring = nullptr);

/// --default-branch > config > CI > the repository (origin/HEAD, then main or master where it exists). Empty: unknown.
[[nodiscard]] std::string default_branch(const World& world, const CommonFlags& common, const Settings& settings,
                                         const std::optional<env::CiRun>& ci);

/// How documents look on this world's stdout.
[[nodiscard]] text::Look look_of(const World& world);

}  // namespace flakestat::app
