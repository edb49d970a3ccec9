// The recorded history, read and scored once: what report, explain, check, quarantine and ci-report begin with, so that
// their numbers are the same numbers.
#pragma once

#include <cstdint>
#include <functional>

#include "app/observation_filter.hpp"
#include "app/requests.hpp"
#include "app/settings.hpp"
#include "app/world.hpp"
#include "model/observation.hpp"
#include "stats/scoring.hpp"

namespace flakestat::app {

struct ScoredHistory {
  Settings settings;
  stats::ScoringOptions scoring;  ///< in force: default branch and threads included
  stats::History history;         ///< what was scored, for further questions
  stats::Scores scores;
  ObservationFilter filter;  ///< resolved: what was looked at
  std::uint64_t lines = 0;   ///< observations that the filter kept; 0 is noted
};

using Observer = std::function<void(const ObservationView&)>;

/// Resolves the settings, reads the log, scores what `filter` keeps. `observer` (may be empty) sees each kept
/// observation, in the log's order, duplicates included. Damage in the log is warned of. `flags` may be null.
[[nodiscard]] Result<ScoredHistory> score_history(const World& world, const CommonFlags& common,
                                                  const ScoringFlags* flags, const ObservationFilter& filter,
                                                  const Observer& observer = {});

/// The same under settings that are resolved already.
[[nodiscard]] Result<ScoredHistory> score_history(const World& world, const CommonFlags& common, Settings settings,
                                                  const ObservationFilter& filter, const Observer& observer = {});

}  // namespace flakestat::app
