// The one definition of environment and context: what must be equal for two outcomes to be comparable (design, section
// 1).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "stats/scoring.hpp"

namespace flakestat::stats {

using DimensionPairs = std::span<const std::pair<std::string_view, std::string_view>>;

/// The environment of an execution as `key=value` lines, sorted by key: os, arch, runtime.* and every other key that is
/// neither provenance, nor `ci.provider` (unless `options.context_keys` asks for it), nor in `options.context_ignore`.
/// The log does not say which keys came from --dimension, so all others count. Empty values are dropped; of equal keys
/// the last one counts.
[[nodiscard]] std::string environment_key(DimensionPairs dimensions, const ScoringOptions& options);

/// What the predecessor compares beside the branch (section 2): os, arch and runtime only.
[[nodiscard]] std::string platform_key(DimensionPairs dimensions);

/// The name of the environment that no dimension describes.
inline constexpr std::string_view kAnyEnvironment = "any environment";

/// An environment key for people: `arch=arm64 os=linux`; kAnyEnvironment when it is empty.
[[nodiscard]] std::string environment_name(std::string_view environment_key);

}  // namespace flakestat::stats
