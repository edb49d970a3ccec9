#include <algorithm>
#include <utility>

#include "app/ci_files.hpp"
#include "app/commands.hpp"
#include "app/gate.hpp"
#include "app/take_reports.hpp"
#include "report/gate.hpp"
#include "report/score_json.hpp"
#include "store/baseline_file.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

// What the reports on the command line brought.
struct Brought {
  Ending ending = Ending::done;
  std::optional<std::string> branch;  ///< of the reports; nothing when none were given
  std::string run_id;                 ///< of this call; empty when no reports were given
  bool nothing = false;               ///< reports, and no test in them
};

Result<Brought> take_inputs(const World& world, const CheckRequest& request, const Settings& settings) {
  if (request.inputs.empty()) return Brought{};
  auto taken = take_reports(world, settings, request.common, request.provenance, request.inputs);
  if (!taken) return taken.error();
  warn_of_files(world, taken->summary);
  const bool nothing = taken->summary.files > 0 && taken->summary.counts.tests == 0;
  return Brought{ending_of(taken->summary, taken->inputs, false), taken->provenance.code.branch,
                 taken->provenance.run_id, nothing};
}

// An unreadable baseline is no reason to keep it when the present state is to be accepted; a newer version's is.
Result<Baseline> baseline_before(const World& world, const std::string& path) {
  auto before = store::read_baseline(path);
  if (before) return before->value_or(Baseline{});
  if (before.error().kind != ErrorKind::damaged) return before.error();
  world.warn("flakestat: " + before.error().message);
  world.warn("flakestat: " + path + " is written anew");
  return Baseline{};
}

Result<Ending> update_baseline(const World& world, const CheckRequest& request, const GateHistory& history) {
  const auto path = baseline_path(request.gate, history.scored.settings);
  auto before = baseline_before(world, path);
  if (!before) return before.error();
  const std::string model(report::model_name(history.scored.scoring.model));
  const auto change = rules::accept(history.scored.scores, model, *before, request.prune);
  FLAKESTAT_TRY(store::write_baseline(path, change.baseline));
  const bool as_json = request.common.format.value_or("table") == "json";
  FLAKESTAT_TRY(world.out(as_json ? report::baseline_change_json(change, path)
                                  : report::baseline_change_text(change, path, look_of(world))));
  world.note("flakestat: commit " + path + ", so that everybody's checks compare with the same");
  return Ending::done;
}

std::string render(const World& world, const report::GateView& view, const std::string& format) {
  if (format == "json") return report::gate_json(view);
  if (format == "markdown") return report::gate_markdown(view);
  if (format == "gitlab") return report::gate_code_quality(view);
  if (format != "github") return report::gate_text(view);
  append_step_summary(world, report::gate_markdown(view));
  return report::gate_annotations(view) + report::gate_text(view);
}

// The gate's own no outranks unreadable input; input that is not whole outranks "undecided", which it caused.
Ending combined(rules::Decision decision, Ending brought) {
  const bool said_no = decision == rules::Decision::failed || decision == rules::Decision::worse;
  return brought == Ending::done || said_no ? ending_of(decision) : brought;
}

}  // namespace

Result<Ending> check(const World& world, const CheckRequest& request) {
  if (request.update_baseline && request.common.filter) {
    return Error{ErrorKind::usage, "--update-baseline accepts the whole present state: give no --filter"};
  }
  auto settings = resolve_settings(world, request.common, &request.scoring);
  if (!settings) return settings.error();
  auto brought = take_inputs(world, request, *settings);
  if (!brought) return brought.error();
  auto history = read_gate_history(world, request.common, std::move(*settings));
  if (!history) return history.error();
  if (request.update_baseline) {
    auto updated = update_baseline(world, request, *history);
    return updated && brought->ending != Ending::done ? brought->ending : updated;
  }
  auto said = request.provenance;
  if (brought->branch) said.branch = brought->branch;
  auto place = place_of(world, said);
  if (!place) return place.error();
  if (place->run.empty()) place->run = brought->run_id;
  place->nothing_brought = brought->nothing;
  auto gate = decide_gate(world, request.common, request.gate, *history, *place);
  if (!gate) return gate.error();
  const auto view = view_of(*gate, world);
  FLAKESTAT_TRY(world.out(render(world, view, request.common.format.value_or("table"))));
  if (request.code_quality) FLAKESTAT_TRY(sys::write_file(*request.code_quality, report::gate_code_quality(view)));
  if (request.common.format.value_or("table") != "table") world.note("flakestat: " + report::decision_sentence(view));
  return combined(gate->result.decision, brought->ending);
}

}  // namespace flakestat::app
