#include "app/gate.hpp"

#include <algorithm>
#include <set>

#include "app/quarantine_file.hpp"
#include "app/quarantine_world.hpp"
#include "app/shown_tests.hpp"
#include "base/strings.hpp"
#include "env/ci.hpp"
#include "env/git.hpp"
#include "env/platform.hpp"
#include "report/score_json.hpp"
#include "store/baseline_file.hpp"

namespace flakestat::app {
namespace {

Result<rules::Expectation> parse_expectation(const std::string& text) {
  rules::Expectation expect;
  if (text == "all") {
    expect.all = true;
    return expect;
  }
  expect.tests = number_in<std::uint64_t>(text).value_or(0);
  if (expect.tests == 0) {
    return Error{ErrorKind::usage,
                 "--expect " + in_quotes(text) + ": all (every test of the run before), or the least number of tests"};
  }
  return expect;
}

// The tests that the list excuses today, in this place. A list that cannot be read excuses nobody: it is an error.
Result<std::set<TestId>> excused_by(const std::string& path, const stats::Scores& scores, const Dimensions& here,
                                    UnixMillis now) {
  const auto today = rules::day_of(now);
  auto list = load_quarantine_list(path, today);
  if (!list) return list.error();
  std::set<TestId> excused;
  for (const auto& test : scores.tests) {
    if (list->match(listed_test(test), here, today) != nullptr) excused.insert(test.test_id);
  }
  return excused;
}

Result<rules::GateOptions> options_of(const GateFlags& flags, const Settings& settings, const std::string& branch) {
  rules::GateOptions options;
  options.fail_on_new = flags.fail_on_new;
  options.fail_on_regression = flags.fail_on_regression;
  options.regression_delta = flags.regression_delta.value_or(options.regression_delta);
  options.severity = settings.severity;
  if (flags.new_tests) options.new_tests = static_cast<std::uint32_t>(*flags.new_tests);
  if (flags.fail_on_sanitised) options.sanitised = static_cast<std::uint32_t>(*flags.fail_on_sanitised);
  options.branch = branch;
  if (flags.expect) {
    auto expect = parse_expectation(*flags.expect);
    if (!expect) return expect.error();
    options.expect = *expect;
  }
  return options;
}

// An outage is a matter of the run, not of the model: the predecessor's rule knows none, so the other one is asked.
std::vector<stats::Outage> outages_of(const ScoredHistory& scored) {
  if (scored.scoring.model == stats::Model::bayes) return scored.scores.outages;
  auto options = scored.scoring;
  options.model = stats::Model::bayes;
  return scored.history.score(options).outages;
}

Result<Baseline> accepted(const Gate& gate, const GateFlags& flags, const std::optional<std::string>& filter,
                          std::optional<Baseline> found) {
  if (!found && flags.baseline) {
    return Error{ErrorKind::missing,
                 "no baseline " + gate.path + ": write it with 'flakestat check --update-baseline'"};
  }
  if (!found) return Baseline{};
  const auto model = report::model_name(gate.model);
  if (found->model != model) {
    return Error{ErrorKind::config,
                 gate.path + ": its scores are of model " + in_quotes(found->model) + ", this check scores with " +
                     std::string(model) + ", and the two do not compare: give '--model " +
                     (found->model == "bayes" || found->model == "flip-rate" ? found->model : std::string(model)) +
                     "', or accept the present state with 'flakestat check --update-baseline'"};
  }
  std::erase_if(found->tests, [&](const AcceptedTest& test) {
    return !is_shown(filter, test.test_id, test.suite, test.class_name, test.name);
  });
  return std::move(*found);
}

}  // namespace

Result<GateHistory> read_gate_history(const World& world, const CommonFlags& common, Settings settings) {
  auto filter = ObservationFilter::make({}, world.now());
  if (!filter) return filter.error();
  std::set<std::string, std::less<>> damaged;
  // Lines of a report that broke off; those of a run that selected tests have no artifact.
  auto scored = score_history(world, common, std::move(settings), *filter, [&](const ObservationView& observation) {
    if (observation.partial && !observation.artifact.empty()) damaged.emplace(observation.run_id);
  });
  if (!scored) return scored.error();
  GateHistory history{std::move(*scored), rules::RunBook(std::move(damaged))};
  history.scored.history.walk(history.scored.scoring, history.book);
  history.scored.scores.outages = outages_of(history.scored);
  history.book.mark_outages(history.scored.scores.outages);
  if (history.book.runs().empty()) {
    return Error{ErrorKind::missing, "there is nothing to decide on: no execution is recorded in " +
                                         history.scored.settings.dir + "/runs.ndjson"};
  }
  keep_shown(history.scored.scores, common.filter);
  if (history.scored.scores.tests.empty()) {
    return Error{ErrorKind::missing, "there is nothing to decide on: --filter " +
                                         in_quotes(common.filter.value_or("")) + " selects no recorded test"};
  }
  return history;
}

std::string baseline_path(const GateFlags& flags, const Settings& settings) {
  return flags.baseline.value_or(settings.dir + "/" + std::string(store::kBaselineName));
}

Result<Gate> decide_gate(const World& world, const CommonFlags& common, const GateFlags& flags, GateHistory& history,
                         const Place& place) {
  auto options = options_of(flags, history.scored.settings, place.branch);
  if (!options) return options.error();
  if (flags.quarantine) {
    auto excused = excused_by(*flags.quarantine, history.scored.scores, place.dimensions, world.now());
    if (!excused) return excused.error();
    options->excused = std::move(*excused);
  }
  options->run = place.run;
  options->nothing_brought = place.nothing_brought;
  Gate gate;
  gate.options = std::move(*options);
  gate.path = baseline_path(flags, history.scored.settings);
  gate.model = history.scored.scoring.model;
  gate.root = world.directory;
  auto found = store::read_baseline(gate.path);
  if (!found) return found.error();
  gate.has_baseline = found->has_value();
  auto baseline = accepted(gate, flags, common.filter, std::move(*found));
  if (!baseline) return baseline.error();
  gate.accepted_before = baseline->tests.size();
  gate.result = rules::decide(history.scored.scores, *baseline, history.book, gate.options);
  return gate;
}

Result<Place> place_of(const World& world, const ProvenanceFlags& flags) {
  auto said = env::parse_dimensions(flags.dimensions);
  if (!said) return said.error();
  const auto ci = env::read_ci(world.env);
  const auto present = merge(ci ? ci->dimensions : Dimensions{}, *said);
  const auto run = present.find(dim::kCiRunId);
  Place place;
  if (flags.branch) place.branch = *flags.branch;
  else if (ci && !ci->branch.empty()) place.branch = ci->branch;
  else place.branch = env::read_git_names(world.directory).branch;
  place.dimensions = merge(flags.no_host ? Dimensions{} : env::host_platform(), *said);
  if (run != present.end()) place.run = run->second;
  return place;
}

report::GateView view_of(const Gate& gate, const World& world) {
  report::GateView view{gate.result, gate.options, gate.model, gate.path};
  view.has_baseline = gate.has_baseline;
  view.accepted_before = gate.accepted_before;
  view.root = gate.root;
  view.look = look_of(world);
  return view;
}

Ending ending_of(rules::Decision decision) {
  switch (decision) {
    case rules::Decision::passed: return Ending::done;
    case rules::Decision::worse: return Ending::worse;
    case rules::Decision::undecided:
    case rules::Decision::failed: break;
  }
  return Ending::failed;
}

}  // namespace flakestat::app
