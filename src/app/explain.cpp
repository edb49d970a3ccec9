#include "report/explain.hpp"

#include "app/commands.hpp"
#include "app/next_step.hpp"
#include "app/scored_history.hpp"
#include "app/shown_tests.hpp"
#include "app/test_lookup.hpp"
#include "stats/test_details.hpp"
#include "store/history_reader.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kMostClusters = 50;

// The log again, for what the history does not keep. The first read has warned of damage.
Result<void> read_details(const ScoredHistory& scored, report::Explanation& found) {
  stats::TestDetails details(found.trace, found.score.test_id);
  auto read = store::read_history(scored.settings.dir, [&](const ObservationView& observation) {
    if (scored.filter.keeps(observation)) details.see(observation);
  });
  if (!read) return read.error();
  const auto& messages = details.messages();
  found.messages.clusters = messages.largest(kMostClusters);
  found.messages.kinds = messages.kinds();
  found.messages.without_message = messages.without_message();
  found.messages.failures = messages.total();
  found.pass_durations = details.passes();
  found.fail_durations = details.failures();
  found.sanitised = details.sanitised();
  found.would_sanitise = details.would_sanitise();
  return {};
}

std::string render(const report::Explanation& found, const report::ExplainOptions& options, const std::string& format) {
  if (format == "json") return report::explain_json(found, options);
  return format == "markdown" ? report::explain_markdown(found, options) : report::explain_text(found, options);
}

}  // namespace

Result<Ending> explain(const World& world, const ExplainRequest& request) {
  auto filter = ObservationFilter::make(request.narrowing, world.now());
  if (!filter) return filter.error();
  auto scored = score_history(world, request.common, &request.scoring, *filter);
  if (!scored) return scored.error();
  keep_shown(scored->scores, request.common.filter);
  auto test = find_test(scored->scores.tests, request.test, world.warn);
  if (!test) return test.error();
  report::Explanation found;
  found.model = scored->scoring.model;
  found.score = **test;
  found.min_runs = scored->scoring.min_runs;
  found.flip_rate = scored->scoring.flip_rate;
  found.trace = scored->history.trace(found.score.test_id, scored->scoring, scored->scores.outages);
  found.findings = stats::find(found.trace, found.score);
  found.associations = stats::find_associations(found.trace);
  FLAKESTAT_TRY(read_details(*scored, found));
  found.next = next_step(found, scored->settings, request.common);
  report::ExplainOptions options;
  options.history = request.history.value_or(options.history);
  options.look = look_of(world);
  FLAKESTAT_TRY(world.out(render(found, options, request.common.format.value_or("table"))));
  return Ending::done;
}

}  // namespace flakestat::app
