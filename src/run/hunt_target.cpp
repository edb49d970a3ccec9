#include "run/hunt_target.hpp"

#include <algorithm>

#include "run/hunt_progress.hpp"

namespace flakestat::run {
namespace {

constexpr int kRunsWithoutATest = 3;  // then a filter that selects nothing is given up
constexpr int kWholeRuns = 2;         // before any is narrowed: a test that one of them lost must not be forgotten

}  // namespace

void HuntTarget::look(const Outcomes& outcomes) {
  if (!plan_.settle) return;  // nobody waits for a test, and there may be many
  asked_ = asked_tests(outcomes, plan_.asks, rule_, doubts_);
}

// Only where runs may be narrowed can a test be in doubt for that.
void HuntTarget::note_doubts(const RunOnce& once) {
  const auto& run = once.result;
  if (!plan_.settle || !plan_.selection || !(facts_of(run).comparable() || was_ended(run.end))) return;
  doubts_.add(run.tests, once.evidence.outcomes);
}

void HuntTarget::check(RunOnce& once) {
  const auto& run = once.result;
  const bool narrowed = !run.tests.empty();
  if (!narrowed && facts_of(run).comparable()) ++whole_runs_;
  if (narrowed) {
    ++narrowed_runs_;
    narrowing_.check(run.run, run.tests, was_ended(run.end), once.evidence.cases);
  }
  if (narrowed != pace_is_narrowed_) pace_.clear();
  pace_is_narrowed_ = narrowed;
  pace_.push_back(run.use.wall);
}

bool HuntTarget::asks_for_nothing(int ended) const {
  return plan_.settle && plan_.asks && ended >= kRunsWithoutATest && asked_.known > 0 && asked_.asked == 0;
}

int HuntTarget::most_runs(int ended) const {
  if (!plan_.settle || asked_.asked == 0) return plan_.runs;
  return std::min(plan_.runs, ended + asked_.most_missing);
}

std::vector<TestChoice> HuntTarget::choose(const RunOrder& order) {
  // What is verified has to happen again as it happened: in the whole suite.
  if (!plan_.settle || order.purpose != RunPurpose::measure || whole_runs_ < kWholeRuns) return {};
  return narrowing_.choose(asked_, order.run, report_path(plan_, order.run));
}

bool HuntTarget::is_late(std::chrono::milliseconds elapsed) const {
  return plan_.max_time && !pace_.empty() && elapsed + typical_duration(pace_) > *plan_.max_time;
}

std::vector<SettledTest> HuntTarget::standings(const Outcomes& outcomes) const {
  std::vector<SettledTest> found;
  for (const auto& [id, test] : outcomes.tests()) {
    if (test.total().runs() == 0 || (plan_.asks && !plan_.asks(test.test))) continue;
    found.push_back({test, standing_of(test.total(), rule_), runs_to_settle(test.total(), rule_)});
  }
  std::sort(found.begin(), found.end(),
            [](const SettledTest& a, const SettledTest& b) { return is_named_before(a.tally.test, b.tally.test); });
  return found;
}

}  // namespace flakestat::run
