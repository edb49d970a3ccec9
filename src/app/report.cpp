#include "report/report.hpp"

#include "app/changing_names.hpp"
#include "app/commands.hpp"
#include "app/scored_history.hpp"
#include "app/shown_tests.hpp"

namespace flakestat::app {
namespace {

std::string render(const stats::Scores& scores, const report::ReportOptions& options, const std::string& format) {
  if (format == "json") return report::report_json(scores, options);
  return format == "markdown" ? report::report_markdown(scores, options) : report::report_table(scores, options);
}

}  // namespace

Result<Ending> report(const World& world, const ReportRequest& request) {
  auto filter = ObservationFilter::make(request.narrowing, world.now());
  if (!filter) return filter.error();
  auto scored = score_history(world, request.common, &request.scoring, *filter);
  if (!scored) return scored.error();
  warn_of_changing_names(world, *scored);
  keep_shown(scored->scores, request.common.filter);
  report::ReportOptions options;
  options.model = scored->scoring.model;
  options.all = request.all;
  options.top = request.top;
  options.severity = scored->settings.severity;
  options.by_family = request.family;
  options.look = look_of(world);
  FLAKESTAT_TRY(world.out(render(scored->scores, options, request.common.format.value_or("table"))));
  return Ending::done;
}

}  // namespace flakestat::app
