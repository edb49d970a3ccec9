#include "app/hunt_observations.hpp"

#include <unordered_map>
#include <utility>

#include "model/exec_key.hpp"

namespace flakestat::app {

formats::ReportObservations hunt_observations(run::RunEvidence&& evidence, const Provenance& provenance,
                                              UnixMillis now) {
  auto context = report_context(provenance, Source::hunt);
  context.modified = evidence.started;
  context.now = now;
  context.partial = evidence.partial || evidence.narrowed;
  const auto isolation = std::move(evidence.isolation);
  auto cases = std::move(evidence.cases);
  if (evidence.suite_level) cases.push_back(std::move(*evidence.suite_level));
  for (auto& found : cases) {
    found.exec_key.clear();
    found.run_id.clear();
  }
  auto found = formats::to_observations(std::move(cases), evidence.summary, context);
  std::unordered_map<std::uint64_t, std::int32_t> repetitions;
  for (auto& observation : found.observations) {
    observation.attempt = evidence.run;
    observation.repetition = repetitions[static_cast<std::uint64_t>(observation.test_id)]++;
    observation.artifact.clear();
    observation.isolation = isolation;
    observation.exec_key =
        run_exec_key(observation.run_id, observation.repetition, observation.attempt, observation.test_id);
  }
  return found;
}

}  // namespace flakestat::app
