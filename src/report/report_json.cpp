#include "report/report.hpp"
#include "report/score_json.hpp"
#include "report/selection.hpp"
#include "report/summary.hpp"

namespace flakestat::report {
namespace {

void write_families(text::JsonWriter& json, const Selection& selection) {
  json.key("families").begin_array();
  for (const auto& entry : selection.entries) {
    if (entry.family) write_family(json, *entry.family);
  }
  json.end_array();
}

}  // namespace

std::string report_json(const stats::Scores& scores, const ReportOptions& options) {
  const auto selection = select_entries(scores.tests, options);
  text::JsonWriter json(options.json);
  json.begin_object().field("model", model_name(options.model));
  write_summary(json.key("summary"), count_verdicts(scores.tests));
  json.key("results").begin_array();
  for (const auto* test : shown_tests(selection)) write_result(json, *test, options.model);
  json.end_array();
  write_outages(json.key("outages"), scores.outages);
  json.field("break_rate", options.model == stats::Model::bayes ? std::optional(scores.break_rate) : std::nullopt);
  json.field("observations", scores.observations).field("duplicates", scores.duplicates);
  if (options.by_family) write_families(json, selection);
  json.field("left_out", selection.beyond_top + selection.below_severity);
  write_not_seen(json.key("not_seen"), measure_power(scores.tests));
  return json.end_object().finish();
}

}  // namespace flakestat::report
