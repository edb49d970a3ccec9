// Scoring parameters from the command line laid over those from the configuration.
#pragma once

#include "app/requests.hpp"
#include "base/result.hpp"
#include "env/config.hpp"
#include "stats/scoring.hpp"

namespace flakestat::app {

/// Overwrites what the flags name. Errors: usage, for values that cannot be.
[[nodiscard]] Result<void> apply(const ScoringFlags& flags, stats::ScoringOptions& options);

/// The options by the names of the configuration, for showing what is in force. Nothing for `threshold` under bayes:
/// its rows are limited only when somebody asks for it.
[[nodiscard]] env::ScoringConfig in_words_of_the_config(const stats::ScoringOptions& options);

/// `bayes` or `flip-rate`.
[[nodiscard]] Result<stats::Model> parse_model(const std::string& name);

/// `auto` (nothing) or a probability.
[[nodiscard]] Result<std::optional<double>> parse_break_rate(const std::string& text);

}  // namespace flakestat::app
