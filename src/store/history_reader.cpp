#include "store/history_reader.hpp"

#include <cstdint>
#include <unordered_map>

#include "store/log_snapshot.hpp"
#include "store/superseded.hpp"

namespace flakestat::store {

Result<ReadStats> read_history(const std::string& dir, const OnObservation& on_observation) {
  auto log = LogSnapshot::open(dir);
  if (!log) return log.error();
  std::unordered_map<std::uint64_t, bool> damaged;  // to: superseded
  auto stats = log->read([&](const ObservationView& view) {
    if (is_of_damaged_report(view)) damaged.emplace(case_fingerprint(view), false);
    else on_observation(view);
  });
  if (!stats || damaged.empty()) return stats;

  // Rare: two more passes, so that memory goes with the damaged reports only.
  auto marked = log->read([&](const ObservationView& view) {
    if (is_of_damaged_report(view)) return;
    if (const auto found = damaged.find(case_fingerprint(view)); found != damaged.end()) found->second = true;
  });
  if (!marked) return marked.error();
  auto rest = log->read([&](const ObservationView& view) {
    if (!is_of_damaged_report(view)) return;
    if (damaged[case_fingerprint(view)]) ++stats->superseded;
    else on_observation(view);
  });
  if (!rest) return rest.error();
  return stats;
}

}  // namespace flakestat::store
