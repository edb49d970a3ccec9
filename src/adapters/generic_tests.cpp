#include "adapters/generic_tests.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace flakestat::adapters {
namespace {

bool is_good(RunFate fate) { return fate != RunFate::failed && fate != RunFate::error && fate != RunFate::quarantined; }

void append_note(std::string& note, const std::string& more) {
  if (!more.empty()) note += (note.empty() ? "" : "; ") + more;
}

std::string missing_message(const RerunFacts& facts, const std::string& instead) {
  auto text = "rerun " + std::to_string(facts.rerun);
  if (facts.worth.worth == Worth::broken) return text + ": " + facts.worth.problem + ": nothing that it passed counts";
  text += facts.narrowed ? " was asked for this test and ran nothing of its name"
                         : " of the whole suite has no result for this test";
  if (!instead.empty()) text += "; it reported " + instead;
  return text;
}

// A runner that failed has its passes believed by nobody.
void drop_unbelieved(std::vector<RunAttempt>& attempts, const RunWorth& worth) {
  if (!worth.sound()) std::erase_if(attempts, [](const RunAttempt& each) { return !each.failing(); });
}

}  // namespace

GenericTests::GenericTests(dispatch::RerunPolicy policy, PolicyOf policy_of)
    : lifecycle_(std::move(policy), {}), policy_of_(std::move(policy_of)) {}

std::size_t GenericTests::add(const RunTest& test, bool stand_in, dispatch::TestPolicy policy) {
  entries_.emplace_back();
  entries_.back().test = test;
  entries_.back().stand_in = stand_in;
  by_id_.emplace(test.test_id, entries_.size() - 1);
  return lifecycle_.add(std::move(policy));
}

// What stands for tests that never ran is excused by no list.
std::size_t GenericTests::add(ReportedTest&& reported) {
  auto policy = policy_of_ ? policy_of_(reported.test) : dispatch::TestPolicy{};
  if (reported.stand_in) policy.excuse.reset();
  const auto index = add(reported.test, reported.stand_in, std::move(policy));
  entries_[index].unfed = numbered(index, std::move(reported.attempts));
  return index;
}

std::vector<RunAttempt> GenericTests::numbered(std::size_t test, std::vector<RunAttempt> attempts) {
  for (auto& attempt : attempts) {
    attempt.attempt = entries_[test].reported++;
    order_.emplace_back(test, static_cast<std::size_t>(attempt.attempt));
  }
  return attempts;
}

void GenericTests::settle(std::size_t test, TestSettled settled) {
  entries_[test].state = State::settled;
  entries_[test].settled = std::move(settled);
}

void GenericTests::feed(std::size_t test, std::vector<RunAttempt> attempts) {
  for (std::size_t i = 0; i + 1 < attempts.size(); ++i) lifecycle_.attempt_followed(test, std::move(attempts[i]));
  auto decision = lifecycle_.attempt_finished(test, std::move(attempts.back()));
  if (!decision.note.empty()) notes_.push_back(std::move(decision.note));
  if (decision.rerun) {
    entries_[test].state = State::waiting;
    delay_ = std::max(delay_, decision.delay_seconds);
  } else {
    settle(test, std::move(*decision.settled));
  }
}

void GenericTests::end_waiting(std::size_t test, const std::string& note) {
  auto settled = lifecycle_.give_up(test);
  if (!is_good(settled.fate)) append_note(settled.note, note);
  settle(test, std::move(settled));
}

void GenericTests::take_first(ReportedTests reported, const RunWorth& worth) {
  for (auto& each : reported.tests) {
    const bool failing = each.failing();
    if (!worth.believed && !failing) each.attempts.clear();
    const auto test = add(std::move(each));
    if (entries_[test].unfed.empty()) continue;
    if (!failing) {
      feed(test, std::exchange(entries_[test].unfed, {}));
    } else if (worth.sound()) {
      entries_[test].state = State::queued;
      queue_.push_back(test);
    } else {
      for (auto& attempt : std::exchange(entries_[test].unfed, {})) lifecycle_.attempt_followed(test, attempt);
      end_waiting(test, "not rerun: the run itself failed");
    }
  }
}

void GenericTests::admit(std::size_t most) {
  for (; most > 0 && !queue_.empty(); --most) {
    const auto test = queue_.front();
    queue_.pop_front();
    feed(test, std::exchange(entries_[test].unfed, {}));
  }
}

std::vector<std::size_t> GenericTests::waiting() const {
  std::vector<std::size_t> tests;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].state == State::waiting) tests.push_back(i);
  }
  return tests;
}

void GenericTests::give_up(const std::vector<std::size_t>& tests, const std::string& note) {
  for (const auto test : tests) end_waiting(test, note);
}

void GenericTests::give_up_all(const std::string& note) {
  give_up(waiting(), note);
  for (const auto test : std::exchange(queue_, {})) {
    for (auto& attempt : std::exchange(entries_[test].unfed, {})) lifecycle_.attempt_followed(test, attempt);
    end_waiting(test, note);
  }
}

// The first failure under a name that no test of before has, or that stands for tests: what happened in their place.
std::string GenericTests::told_instead(const ReportedTests& reported) const {
  for (const auto& each : reported.tests) {
    if (!each.failing() || (by_id_.contains(each.test.test_id) && !each.stand_in)) continue;
    const auto& message = each.attempts.back().message;
    return each.test.id + (message.empty() ? "" : ": " + message);
  }
  return {};
}

void GenericTests::take_rerun(ReportedTests reported, const RerunFacts& facts) {
  const auto wanted = waiting();
  const auto instead = told_instead(reported);
  std::vector<int> made;
  for (const auto test : wanted) made.push_back(entries_[test].reported);
  delay_ = 0;
  for (auto& each : reported.tests) {
    drop_unbelieved(each.attempts, facts.worth);
    // Many runners report what was not selected as skipped, and all of it when the selection matched nothing.
    if (each.attempts.empty() || (facts.narrowed && each.skipped())) continue;
    const auto known = by_id_.find(each.test.test_id);
    if (known == by_id_.end()) take_new(std::move(each), facts);
    else take_known(known->second, std::move(each), facts);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (entries_[wanted[i]].reported == made[i]) miss(wanted[i], facts, instead);
  }
}

std::vector<std::string> GenericTests::not_in(const ReportedTests& reported) const {
  std::unordered_set<TestId> there;
  for (const auto& each : reported.tests) there.insert(each.test.test_id);
  std::vector<std::string> ids;
  for (const auto& entry : entries_) {
    const bool good = entry.state == State::settled && is_good(entry.settled.fate);
    if (good && !there.contains(entry.test.test_id)) ids.push_back(entry.test.id);
  }
  return ids;
}

void GenericTests::take_new(ReportedTest&& reported, const RerunFacts& facts) {
  const auto test = add(std::move(reported));
  feed(test, std::exchange(entries_[test].unfed, {}));
  if (facts.narrowed && entries_[test].state == State::waiting) end_waiting(test, "first seen in a rerun of others");
}

void GenericTests::take_known(std::size_t test, ReportedTest&& reported, const RerunFacts& facts) {
  auto& entry = entries_[test];
  entry.stand_in = entry.stand_in || reported.stand_in;
  if (entry.state == State::waiting) return feed(test, numbered(test, std::move(reported.attempts)));
  if (entry.state == State::queued) {
    auto attempts = numbered(test, std::move(reported.attempts));
    std::move(attempts.begin(), attempts.end(), std::back_inserter(entry.unfed));
    return;
  }
  // It has run again because others were to: its pass says nothing new, its failure takes back what it had.
  if (!reported.failing() || !is_good(entry.settled.fate)) return;
  lifecycle_.reopen(std::move(entry.settled));
  feed(test, numbered(test, std::move(reported.attempts)));
  if (facts.narrowed && entry.state == State::waiting) end_waiting(test, "failed in a rerun of others");
}

void GenericTests::miss(std::size_t test, const RerunFacts& facts, const std::string& instead) {
  RunAttempt attempt;
  if (entries_[test].stand_in && !facts.narrowed && facts.clean) {
    attempt.message = "gone: rerun " + std::to_string(facts.rerun) + " of the whole suite succeeded without it";
    return feed(test, numbered(test, {attempt}));
  }
  attempt.status = RunStatus::error;
  attempt.trouble = RunTrouble::lost;
  attempt.message = missing_message(facts, instead);
  auto attempts = numbered(test, {attempt});
  // Something happened in its place: that may pass. Else its name is what the runner does not know, today and tomorrow.
  if (facts.worth.worth == Worth::broken || !instead.empty()) return feed(test, std::move(attempts));
  lifecycle_.attempt_followed(test, std::move(attempts.back()));
  end_waiting(test, "");
}

void GenericTests::take_problem(const RunTest& command, RunAttempt attempt) {
  const auto known = by_id_.find(command.test_id);
  const auto test = known == by_id_.end() ? add(command, false, {}) : known->second;
  auto& entry = entries_[test];
  if (entry.state == State::settled) lifecycle_.reopen(std::move(entry.settled));
  auto attempts = numbered(test, {std::move(attempt)});
  lifecycle_.attempt_followed(test, std::move(attempts.back()));
  end_waiting(test, "");
}

void GenericTests::take_command(const RunTest& command, RunAttempt attempt) {
  auto known = by_id_.find(command.test_id);
  if (known == by_id_.end()) {
    auto policy = policy_of_ ? policy_of_(command) : dispatch::TestPolicy{};
    policy.excuse.reset();
    add(command, false, std::move(policy));
    known = by_id_.find(command.test_id);
  }
  feed(known->second, numbered(known->second, {std::move(attempt)}));
}

std::vector<RunTest> GenericTests::tests() const {
  std::vector<RunTest> tests;
  for (const auto& entry : entries_) tests.push_back(entry.test);
  return tests;
}

std::vector<RunEvent> GenericTests::events() const {
  std::vector<RunEvent> events;
  for (const auto& [test, attempt] : order_) {
    const auto& attempts = entries_[test].settled.attempts;
    const bool follows = attempt + 1 < attempts.size();
    events.emplace_back(AttemptFinished{test, attempts[attempt], follows});
    if (!follows) events.emplace_back(entries_[test].settled);
  }
  return events;
}

// Reruns are those that were made, not those that were allowed.
RunTotals GenericTests::totals() const {
  auto totals = lifecycle_.totals();
  totals.reruns = 0;
  for (const auto& entry : entries_) {
    if (entry.state == State::settled) totals.reruns += entry.settled.attempts.size() - 1;
  }
  return totals;
}

std::vector<std::string> GenericTests::failed_stand_ins() const {
  std::vector<std::string> ids;
  for (const auto& entry : entries_) {
    if (entry.stand_in && entry.state == State::settled && !is_good(entry.settled.fate)) ids.push_back(entry.test.id);
  }
  return ids;
}

}  // namespace flakestat::adapters
