// Lines of damaged reports, and how the line of a whole one that says the same is recognised (design, section 5).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "model/observation.hpp"

namespace flakestat::store {

/// hunt and run write no artifact, so what is partial there (a run that selected tests) is never taken for damage.
[[nodiscard]] inline bool is_of_damaged_report(const ObservationView& view) {
  return view.partial && !view.artifact.empty();
}

/// A digest of what a case says that is in a damaged report and in the whole one alike: test, start, status, duration,
/// dimensions, message. Equal only within one process.
[[nodiscard]] inline std::uint64_t case_fingerprint(const ObservationView& view) {
  const auto mix = [](std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
    hash *= 0xbf58476d1ce4e5b9;
    return hash ^ (hash >> 31);
  };
  const std::hash<std::string_view> hash;
  auto value = mix(static_cast<std::uint64_t>(view.test_id), static_cast<std::uint64_t>(view.ts));
  value = mix(value, static_cast<std::uint64_t>(view.status));
  value = mix(value, view.duration_ms ? static_cast<std::uint64_t>(*view.duration_ms) : UINT64_MAX);
  value = mix(value, hash(view.dimensions_raw));
  return mix(value, hash(view.message));
}

}  // namespace flakestat::store
