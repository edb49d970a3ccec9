#include "dispatch/lifecycle.hpp"

#include <algorithm>
#include <utility>

namespace flakestat::dispatch {
namespace {

bool any_failing(const std::vector<RunAttempt>& attempts) {
  return std::any_of(attempts.begin(), attempts.end(), [](const auto& each) { return each.failing(); });
}

bool any_passed(const std::vector<RunAttempt>& attempts) {
  return std::any_of(attempts.begin(), attempts.end(), [](const auto& each) { return each.passing(); });
}

bool any_crashed(const std::vector<RunAttempt>& attempts) {
  return std::any_of(attempts.begin(), attempts.end(), [](const auto& each) {
    return each.trouble == RunTrouble::crashed || each.trouble == RunTrouble::lost;
  });
}

RunFate plain_fate(RunStatus status) {
  switch (status) {
    case RunStatus::passed: return RunFate::passed;
    case RunStatus::failed: return RunFate::failed;
    case RunStatus::error: return RunFate::error;
    case RunStatus::skipped: return RunFate::skipped;
    case RunStatus::xfailed: return RunFate::xfailed;
    case RunStatus::xpassed: return RunFate::xpassed;
  }
  return RunFate::error;
}

// Failed, and the last word was neither a pass nor a failure: a skip says nothing of what failed before.
RunFate last_failure(const std::vector<RunAttempt>& attempts) {
  const auto last = std::find_if(attempts.rbegin(), attempts.rend(), [](const auto& each) { return each.failing(); });
  return plain_fate(last->status);
}

bool found_in(const ErrorPatterns& patterns, const RunAttempt& attempt) {
  const auto phase_has = [&](const PhaseResult& phase) {
    const bool bad = phase.status == RunStatus::failed || phase.status == RunStatus::error;
    return bad && patterns.found_in(phase.message.empty() ? phase.details : phase.message);
  };
  if (std::any_of(attempt.phases.begin(), attempt.phases.end(), phase_has)) return true;
  return patterns.found_in(attempt.message.empty() ? attempt.details : attempt.message);
}

void append_note(std::string& note, const std::string& more) {
  if (more.empty()) return;
  note += (note.empty() ? "" : "; ") + more;
}

bool is_fatal(RunFate fate) { return fate == RunFate::failed || fate == RunFate::error; }

}  // namespace

Lifecycle::Lifecycle(RerunPolicy policy, std::vector<TestPolicy> tests)
    : policy_(std::move(policy)), tests_(std::move(tests)), states_(tests_.size()), breaker_(policy_.breaker) {
  known_flaky_ = static_cast<std::size_t>(
      std::count_if(tests_.begin(), tests_.end(), [](const auto& test) { return test.ledger.flaky > 0; }));
}

int Lifecycle::budget(const TestPolicy& test) const {
  return test.mark && test.mark->reruns ? *test.mark->reruns : policy_.reruns;
}

bool Lifecycle::matches(const TestPolicy& test, const RunAttempt& attempt) const {
  const auto& only = test.mark && test.mark->only ? *test.mark->only : policy_.only;
  const auto& except = test.mark && test.mark->except ? *test.mark->except : policy_.except;
  return (only.empty() || found_in(only, attempt)) && !found_in(except, attempt);
}

// Says no for the first reason that applies; `note` is for those that a user could not guess.
bool Lifecycle::may_rerun(std::size_t test, Decision& decision, std::string& note) {
  const auto& rules = tests_[test];
  auto& state = states_[test];
  const auto made = static_cast<int>(state.attempts.size());
  if (made > budget(rules)) return false;
  const auto& last = state.attempts.back();
  if (last.failing() && !matches(rules, last)) return false;
  const bool marked = rules.mark.has_value();
  if (policy_.only_known_flaky && !marked && rules.ledger.flaky == 0) return false;
  if (policy_.most && totals_.reruns >= *policy_.most) {
    if (!std::exchange(limit_said_, true)) {
      decision.note =
          "the limit of " + std::to_string(*policy_.most) + " reruns is reached: no further failure is rerun";
    }
    note = "not rerun: the run's limit of reruns was reached";
    return false;
  }
  if (marked || rules.ledger.flaky > 0 || rules.excuse) return true;
  if (made > 1) return !state.trial && breaker_.may_go_on();
  const auto permit = breaker_.ask();
  state.trial = permit == Breaker::Permit::once;
  if (permit == Breaker::Permit::none) note = "not rerun: reruns were recovering nothing";
  return permit != Breaker::Permit::none;
}

std::size_t Lifecycle::add(TestPolicy test) {
  known_flaky_ += test.ledger.flaky > 0 ? 1 : 0;
  tests_.push_back(std::move(test));
  states_.emplace_back();
  return states_.size() - 1;
}

void Lifecycle::begin(State& state, const RunAttempt& attempt) {
  if (state.attempts.empty()) ++begun_;
  if (attempt.trouble == RunTrouble::crashed || attempt.trouble == RunTrouble::lost) ++totals_.crashes;
}

void Lifecycle::attempt_followed(std::size_t test, RunAttempt attempt) {
  auto& state = states_[test];
  begin(state, attempt);
  ++totals_.reruns;
  state.attempts.push_back(std::move(attempt));
}

void Lifecycle::reopen(TestSettled settled) {
  auto& state = states_[settled.test];
  state.settled = false;
  state.attempts = std::move(settled.attempts);
  --counter(settled.fate);
  if (is_fatal(settled.fate)) --fatal_;
  ++totals_.reruns;
}

Decision Lifecycle::attempt_finished(std::size_t test, RunAttempt attempt) {
  auto& state = states_[test];
  begin(state, attempt);
  const bool good = attempt.passing();
  state.attempts.push_back(std::move(attempt));
  Decision decision;
  std::string note;
  const bool wants = any_failing(state.attempts) && (!good || policy_.measure);
  if (wants && may_rerun(test, decision, note)) {
    ++totals_.reruns;
    decision.rerun = true;
    const auto& mark = tests_[test].mark;
    decision.delay_seconds = mark && mark->delay_seconds ? *mark->delay_seconds : policy_.delay_seconds;
    return decision;
  }
  decision.settled = settle(test, std::move(note), &decision);
  return decision;
}

RunFate Lifecycle::fate_of(const TestPolicy& test, const std::vector<RunAttempt>& attempts) const {
  const auto& last = attempts.back();
  if (!any_failing(attempts)) return plain_fate(last.status);
  if (last.passing() || (policy_.measure && any_passed(attempts))) return RunFate::flaky;
  return test.excuse && !any_crashed(attempts) ? RunFate::quarantined : last_failure(attempts);
}

TestSettled Lifecycle::settle(std::size_t test, std::string note, Decision* decision) {
  auto& state = states_[test];
  const auto& rules = tests_[test];
  TestSettled settled{test, fate_of(rules, state.attempts), std::move(state.attempts), rules.ledger, "", ""};
  state.settled = true;
  const bool right_of_way = rules.mark || rules.ledger.flaky > 0 || rules.excuse;
  if (settled.attempts.size() > 1 && !right_of_way) {
    const bool was_open = breaker_.open();
    breaker_.settled(settled.fate == RunFate::flaky);
    if (decision != nullptr && breaker_.open() != was_open) {
      decision->note = was_open ? "a test recovered: failures are rerun again"
                                : std::to_string(policy_.breaker) +
                                      " tests in a row recovered nothing: reruns stop, but for every tenth failure";
    }
  }
  if (settled.fate == RunFate::quarantined) settled.excuse = *rules.excuse;
  if (is_fatal(settled.fate)) {
    if (rules.excuse) append_note(note, "quarantined, but a crash is never excused");
    append_note(note, rules.expired);
    if (!settled.attempts.back().failing()) append_note(note, "skipped when it was rerun, which excuses nothing");
    ++fatal_;
    const bool reached = policy_.maxfail > 0 && fatal_ >= static_cast<std::uint64_t>(policy_.maxfail);
    if (decision != nullptr && reached) decision->stop = true;
  }
  settled.note = std::move(note);
  ++counter(settled.fate);
  return settled;
}

TestSettled Lifecycle::give_up(std::size_t test) { return settle(test, "", nullptr); }

std::uint64_t& Lifecycle::counter(RunFate fate) {
  switch (fate) {
    case RunFate::passed: return totals_.passed;
    case RunFate::failed: return totals_.failed;
    case RunFate::error: return totals_.errors;
    case RunFate::skipped: return totals_.skipped;
    case RunFate::xfailed: return totals_.xfailed;
    case RunFate::xpassed: return totals_.xpassed;
    case RunFate::flaky: return totals_.flaky;
    case RunFate::quarantined: return totals_.quarantined;
  }
  return totals_.errors;
}

RunTotals Lifecycle::totals() const {
  auto totals = totals_;
  totals.not_run = states_.size() - begun_;
  return totals;
}

}  // namespace flakestat::dispatch
