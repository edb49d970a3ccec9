#include "app/hunt_target.hpp"

#include <set>
#include <string>
#include <utility>

#include "app/shown_tests.hpp"
#include "base/duration.hpp"
#include "base/strings.hpp"

namespace flakestat::app {
namespace {

constexpr int kDefaultRuns = 20;

Error usage(std::string message) { return {ErrorKind::usage, std::move(message)}; }

Result<void> set_runs(const HuntRequest& request, const Settings& settings, run::HuntPlan& plan) {
  plan.runs = request.runs.value_or(settings.config.runs.value_or(kDefaultRuns));
  if (!request.rule_out) return {};
  const double rate = *request.rule_out;
  if (!(rate > 0) || !(rate < 1)) return usage("--rule-out: a failure rate above 0 and below 1, such as 0.05");
  plan.rule_out = rate;
  if (!request.runs) plan.runs = run::runs_that_rule_out(rate);
  return {};
}

Result<void> set_max_time(const HuntRequest& request, run::HuntPlan& plan) {
  if (!request.max_time) return {};
  auto time = parse_duration(*request.max_time);
  if (!time) return time.error().with("--max-time");
  if (time->count() <= 0) return usage("--max-time: must be more than nothing");
  plan.max_time = *time;
  return {};
}

// How tests are spelled may stand in the configuration for a command that takes none; said as a flag it is a mistake.
Result<void> set_selection(const HuntRequest& request, const Settings& settings, run::HuntPlan& plan) {
  run::SelectionFlags flags{request.select, request.id, request.join};
  if (!flags.select && !run::uses_tests(plan.command)) flags.select = settings.config.select;
  if (flags.select || run::uses_tests(plan.command)) {
    if (!flags.id) flags.id = settings.config.id;
    if (!flags.join) flags.join = settings.config.join;
  }
  auto selection = run::selection_of(plan.command, flags);
  if (!selection) return selection.error();
  plan.selection = std::move(*selection);
  return {};
}

report::HuntStanding shown(run::Standing standing) {
  switch (standing) {
    case run::Standing::disagreed: return report::HuntStanding::disagreed;
    case run::Standing::clean: return report::HuntStanding::clean;
    case run::Standing::broken: return report::HuntStanding::broken;
    case run::Standing::unseen:
    case run::Standing::open: break;
  }
  return report::HuntStanding::open;
}

report::HuntedTest shown(const run::SettledTest& test) {
  report::HuntedTest out;
  const auto& [tally, standing, more_runs] = test;
  out.test_id = run::id_of(tally.test);
  out.suite = tally.test.suite;
  out.class_name = tally.test.class_name;
  out.name = tally.test.name;
  out.passes = tally.total().passes;
  out.fails = tally.total().fails;
  out.standing = shown(standing);
  out.more_runs = more_runs;
  return out;
}

}  // namespace

Result<void> set_target(const HuntRequest& request, const Settings& settings, run::HuntPlan& plan) {
  FLAKESTAT_TRY(set_runs(request, settings, plan));
  FLAKESTAT_TRY(set_max_time(request, plan));
  plan.settle = request.settle;
  FLAKESTAT_TRY(set_selection(request, settings, plan));
  if (plan.selection && plan.junit.empty()) {
    return usage("{tests} takes the tests of the report: add --junit PATH");
  }
  if (request.common.filter) {
    plan.asks = [filter = request.common.filter](const run::TestChoice& test) {
      return is_shown(filter, run::id_of(test), test.suite, test.class_name, test.name);
    };
  }
  return {};
}

report::HuntGoal goal_of(const run::HuntPlan& plan) {
  report::HuntGoal goal;
  goal.runs = plan.runs;
  goal.rule_out = plan.rule_out;
  goal.settle = plan.settle;
  if (plan.max_time) goal.max_time_ms = plan.max_time->count();
  if (plan.settle && plan.selection) goal.selecting = plan.selection->id;
  return goal;
}

report::HuntGoal goal_of(const run::HuntPlan& plan, const run::HuntResult& found) {
  auto goal = goal_of(plan);
  // Whoever watches a hunt and ends it may have waited for a failure; runs that verify end at the first disagreement.
  goal.any_stop = plan.settle || plan.until_fail || plan.max_time || found.interrupted || found.verifying > 0;
  goal.out_of_time = found.out_of_time;
  goal.settled = found.settled && static_cast<int>(found.runs.size()) - found.verifying < plan.runs;
  goal.narrowed_runs = static_cast<std::uint64_t>(found.narrowed);
  std::set<TestId> contended;
  for (const auto& doubt : found.contended) contended.insert(run::id_of(doubt.tally.test));
  for (const auto& tally : found.unproved) contended.insert(run::id_of(tally.test));
  for (const auto& test : found.tests) {
    goal.tests.push_back(shown(test));
    goal.tests.back().contended = contended.contains(goal.tests.back().test_id);
  }
  return goal;
}

}  // namespace flakestat::app
