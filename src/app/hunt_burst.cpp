#include "app/hunt_burst.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>

#include "app/hunt_observations.hpp"

namespace flakestat::app {
namespace {

constexpr std::chrono::seconds kFlushEvery{1};

}  // namespace

Result<void> HuntBurst::append(const std::vector<Observation>& observations) {
  if (observations.empty()) return {};
  const auto now = options_.clock.monotonic();
  append_.flush_later = flushed_ && now - *flushed_ < kFlushEvery;
  auto appended = store::append(settings_.dir, observations, append_);
  if (!appended) return appended.error();
  if (!append_.flush_later) flushed_ = options_.clock.monotonic();
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
  if (held_.size() <= options_.most_held) return {};
  world_.warn("flakestat: " + std::to_string(held_.size()) +
              " results beside other copies are too many to verify: they are stored as contended");
  for (auto& observation : held_) observation.contended = true;
  return append(std::exchange(held_, {}));
}

Result<void> HuntBurst::release(const std::vector<run::Doubt>& contended) {
  std::unordered_set<TestId> tests;
  for (const auto& each : contended) tests.insert(run::id_of(each.tally.test));
  for (auto& observation : held_) observation.contended = tests.contains(observation.test_id);
  FLAKESTAT_TRY(append(std::exchange(held_, {})));
  return append_.flush_later ? store::flush(settings_.dir) : Result<void>();
}

}  // namespace flakestat::app
