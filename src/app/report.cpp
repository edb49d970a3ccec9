#include <set>
#include <utility>

#include "app/commands.hpp"
#include "app/observation_filter.hpp"
#include "app/settings.hpp"
#include "app/shown_tests.hpp"
#include "base/parallel.hpp"
#include "report/report.hpp"
#include "store/history_reader.hpp"
#include "store/log_reader.hpp"

namespace flakestat::app {
namespace {

struct Recorded {
  stats::History history;
  std::set<std::string, std::less<>> branches;  // the first two: enough to know whether there is only one
  std::uint64_t lines = 0;
};

Result<Recorded> read_history(const World& world, const std::string& dir, const ObservationFilter& filter) {
  Recorded recorded;
  auto stats = store::read_history(dir, [&](const ObservationView& observation) {
    if (!filter.keeps(observation)) return;
    ++recorded.lines;
    if (recorded.branches.size() < 2 && !observation.branch.empty()) recorded.branches.emplace(observation.branch);
    recorded.history.add(observation);
  });
  if (!stats) return stats.error();
  for (const auto& line : store::describe(*stats, dir + "/runs.ndjson")) world.warn("flakestat: " + line);
  return recorded;
}

std::string render(const stats::Scores& scores, const report::ReportOptions& options, const std::string& format) {
  if (format == "json") return report::report_json(scores, options);
  return format == "markdown" ? report::report_markdown(scores, options) : report::report_table(scores, options);
}

}  // namespace

Result<Ending> report(const World& world, const ReportRequest& request) {
  auto settings = resolve_settings(world, request.common, &request.scoring);
  if (!settings) return settings.error();
  auto filter = ObservationFilter::make(request, world.now());
  if (!filter) return filter.error();
  auto recorded = read_history(world, settings->dir, *filter);
  if (!recorded) return recorded.error();

  auto scoring = settings->scoring;
  scoring.threads = static_cast<int>(core_count());
  scoring.default_branch = default_branch(world, request.common, *settings, env::read_ci(world.env));
  if (scoring.default_branch.empty() && recorded->branches.size() == 1)
    scoring.default_branch = *recorded->branches.begin();
  if (scoring.default_branch.empty() && !recorded->branches.empty()) {
    world.note(
        "flakestat: no default branch is known: name it with --default-branch, or \"default_branch\" in "
        ".flakestat.json");
  }

  auto scores = recorded->history.score(scoring);
  keep_shown(scores, request.common.filter);
  report::ReportOptions options;
  options.model = scoring.model;
  options.all = request.all;
  options.top = request.top;
  options.severity = settings->severity;
  options.by_family = request.family;
  options.look = look_of(world);
  if (recorded->lines == 0)
    world.note("flakestat: no observations in " + settings->dir +
               "/runs.ndjson: record some with 'flakestat ingest' or 'flakestat hunt'");
  FLAKESTAT_TRY(world.out(render(scores, options, request.common.format.value_or("table"))));
  return Ending::done;
}

}  // namespace flakestat::app
