#include "app/hunt_burst.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>

#include "app/hunt_observations.hpp"
#include "model/identity.hpp"
#include "store/append_log.hpp"

namespace flakestat::app {
Result<void> HuntBurst::append(const std::vector<Observation>& observations) {
  if (observations.empty()) return {};
  auto appended = store::append(settings_.dir, observations);
  if (!appended) return appended.error();
  stored_ += appended->stored;
  for (const auto& note : appended->notes) world_.warn("flakestat: " + note);
  for (const auto& observation : observations) history_.add(observation);
  return {};
}

Result<void> HuntBurst::store(run::RunEvidence&& evidence) {
  const auto in_doubt = std::move(evidence.in_doubt);
  auto found = hunt_observations(std::move(evidence), provenance_, world_.now());
  for (const auto& note : found.notes) {
    if (world_.verbose) world_.note("flakestat: " + note);
  }
  auto& all = found.observations;
  const auto doubtful = std::stable_partition(all.begin(), all.end(), [&](const Observation& each) {
    return !std::binary_search(in_doubt.begin(), in_doubt.end(), each.test_id);
  });
  std::move(doubtful, all.end(), std::back_inserter(held_));
  all.erase(doubtful, all.end());
  FLAKESTAT_TRY(append(all));
  if (held_.size() <= most_held_) return {};
  world_.warn("flakestat: " + std::to_string(held_.size()) +
              " failures beside other copies are too many to verify: they are stored as they are");
  return append(std::exchange(held_, {}));
}

Result<void> HuntBurst::release(const std::vector<run::Doubt>& contended) {
  std::unordered_set<TestId> tests;
  for (const auto& each : contended) {
    const auto& test = each.tally.test;
    tests.insert(test_id(test.suite, test.class_name, test.name));
  }
  for (auto& observation : held_) observation.contended = tests.contains(observation.test_id);
  return append(std::exchange(held_, {}));
}

}  // namespace flakestat::app
