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
  context.partial = evidence.partial;
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
    observation.exec_key =
        run_exec_key(observation.run_id, observation.repetition, observation.attempt, observation.test_id);
  }
  return found;
}

void add_to(stats::History& history, const Observation& o) {
  const std::vector<std::pair<std::string_view, std::string_view>> dimensions(o.dimensions.begin(), o.dimensions.end());
  const auto canonical_dimensions = canonical(o.dimensions);
  ObservationView view;
  view.ts = o.ts;
  view.has_ts = true;
  view.run_id = o.run_id;
  view.commit = o.commit;
  view.code = o.code.empty() ? o.commit : o.code;
  view.branch = o.branch;
  view.source = o.source;
  view.attempt = o.attempt;
  view.repetition = o.repetition;
  view.test_id = o.test_id;
  view.suite = o.suite;
  view.class_name = o.class_name;
  view.name = o.name;
  view.status = o.status;
  view.file = o.file;
  view.duration_ms = o.duration_ms;
  view.message = o.message;
  view.known_flaky = o.known_flaky;
  view.quarantined = o.quarantined;
  view.would_sanitise = o.would_sanitise;
  view.sanitised = !o.sanitised_assumption.empty();
  view.partial = o.partial;
  view.ambiguous = o.ambiguous;
  view.contended = o.contended;
  view.isolation = o.isolation;
  view.dimensions = dimensions;
  view.dimensions_raw = canonical_dimensions;
  view.artifact = o.artifact;
  view.exec_key = o.exec_key;
  history.add(view);
}

}  // namespace flakestat::app
