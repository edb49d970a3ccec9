#include "store/history_reader.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "store/log_snapshot.hpp"

namespace flakestat::store {
namespace {

// hunt and run write no artifact, so what is partial there (a run that selected tests) is never taken for damage.
bool is_of_damaged_report(const ObservationView& view) { return view.partial && !view.artifact.empty(); }

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  hash *= 0xbf58476d1ce4e5b9;
  return hash ^ (hash >> 31);
}

// What a case says that is in a damaged report and in the whole one alike.
std::uint64_t fingerprint(const ObservationView& view) {
  const std::hash<std::string_view> hash;
  auto value = mix(static_cast<std::uint64_t>(view.test_id), static_cast<std::uint64_t>(view.ts));
  value = mix(value, static_cast<std::uint64_t>(view.status));
  value = mix(value, view.duration_ms ? static_cast<std::uint64_t>(*view.duration_ms) : UINT64_MAX);
  value = mix(value, hash(view.dimensions_raw));
  return mix(value, hash(view.message));
}

}  // namespace

Result<ReadStats> read_history(const std::string& dir, const OnObservation& on_observation) {
  auto log = LogSnapshot::open(dir);
  if (!log) return log.error();
  std::unordered_map<std::uint64_t, bool> damaged;  // to: superseded
  auto stats = log->read([&](const ObservationView& view) {
    if (is_of_damaged_report(view)) damaged.emplace(fingerprint(view), false);
    else on_observation(view);
  });
  if (!stats || damaged.empty()) return stats;

  // Rare: two more passes, so that memory goes with the damaged reports only.
  auto marked = log->read([&](const ObservationView& view) {
    if (is_of_damaged_report(view)) return;
    if (const auto found = damaged.find(fingerprint(view)); found != damaged.end()) found->second = true;
  });
  if (!marked) return marked.error();
  auto rest = log->read([&](const ObservationView& view) {
    if (!is_of_damaged_report(view)) return;
    if (damaged[fingerprint(view)]) ++stats->superseded;
    else on_observation(view);
  });
  if (!rest) return rest.error();
  return stats;
}

}  // namespace flakestat::store
