#include "run/hunt_judge.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace flakestat::run {
namespace {

using EndAndCode = std::pair<RunEnd, int>;

EndAndCode end_of(const RunFacts& facts) { return {facts.end, facts.code}; }

std::string odd_reason(const RunFacts& facts) {
  return describe_end(facts.end, facts.code) + " without a failing case";
}

std::string without_report(const RunFacts& facts) {
  const auto* state = describe(facts.report);
  return describe_end(facts.end, facts.code) + (*state == '\0' ? "" : std::string(", ") + state);
}

bool is_ended_early(const RunFacts& facts) {
  return facts.end == RunEnd::timed_out || (facts.end == RunEnd::signalled && facts.report == ReportState::cut_off);
}

bool has_report(const RunFacts& facts) {
  return facts.report == ReportState::whole || facts.report == ReportState::cut_off;
}

}  // namespace

bool HuntJudge::is_odd(const Run& run) const {
  return run.facts.comparable() && !run.facts.exited_zero() && !run.has_failure;
}

Judged HuntJudge::first_judgement(const Run& run) const {
  if (!with_reports_) return {RunWorth::sound, "", false};
  const auto& facts = run.facts;
  if (is_ended_early(facts) && has_report(facts))
    return {RunWorth::partial, describe_end(facts.end, facts.code), false};
  if (!facts.comparable()) return {RunWorth::unsound, without_report(facts), false};
  if (facts.narrowed && run.cases == 0) return {RunWorth::unsound, "ran none of the tests that were selected", false};
  if (run.has_failure && !facts.exited_zero()) return {RunWorth::sound, "", false};
  if (facts.narrowed && !is_odd(run)) return {RunWorth::sound, "", false};
  return {};
}

std::vector<TestOutcome> HuntJudge::add(const RunFacts& facts, std::span<const Case> cases) {
  Run run;
  run.facts = facts;
  run.cases = cases.size();
  run.has_failure = std::any_of(cases.begin(), cases.end(), [](const Case& each) { return is_failure(each.status); });
  if (facts.comparable() && !facts.narrowed) {
    run.set = sets_.add(cases);
    note_names(run, cases);
  }
  auto results = outcomes_of(cases);
  run.results = results;
  outcomes_.introduce(results, cases);
  judged_.push_back(first_judgement(run));
  if (probably_counts(run, judged_.back())) count_results(run);
  if (judged_.back().worth != RunWorth::waiting) run.results = {};
  runs_.push_back(std::move(run));
  settle_what_is_certain();
  return results;
}

// Before the worth is certain, so that the first disagreement is noticed when it happens.
bool HuntJudge::probably_counts(const Run& run, const Judged& judged) const {
  const bool whole = !run.set || sets_.complete(*run.set) || explains_loss(run);
  return judged.worth != RunWorth::unsound && !is_odd(run) && whole;
}

void HuntJudge::count_results(Run& run) {
  if (!run.counted) outcomes_.add(run.facts.mode, run.results);
  run.counted = true;
}

// Only whole runs with as many tests of each kind are compared: parts of a suite in random order differ anyway.
void HuntJudge::note_names(const Run& run, std::span<const Case> cases) {
  if (varying_ || !sets_.complete(*run.set)) return;
  std::vector<TestName> names;
  names.reserve(cases.size());
  for (const auto& each : cases) names.push_back({each.suite, each.class_name, each.name});
  if (last_names_set_ == run.set) varying_ = compare_names(last_names_, last_names_run_, names, run.facts.run);
  last_names_ = std::move(names);
  last_names_run_ = run.facts.run;
  last_names_set_ = run.set;
}

// A worth that was given out is not taken back; that it was wrong is noted.
void HuntJudge::apply(std::size_t index, Judged decided) {
  auto& judged = judged_[index];
  const bool given_out = judged.worth == RunWorth::sound || judged.worth == RunWorth::tolerated;
  if (given_out && decided.worth != RunWorth::unsound) return;
  if (judged.worth == RunWorth::unsound || judged.worth == RunWorth::partial) return;
  decided.late = given_out;
  judged = std::move(decided);
  auto& run = runs_[index];
  if (counts(judged.worth)) count_results(run);
  else if (run.counted) outcomes_.remove(run.facts.mode, run.results);  // none are left of a run that was given out
  run.results = {};
}

// A run whose cases are all that were ever seen, when a second run shows the same; an odd end, once a comparable run
// has ended otherwise.
void HuntJudge::settle_what_is_certain() {
  const bool confirmed = sets_.complete_runs() >= 2;
  const auto some_even = [&](bool narrowed) {
    return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
      return run.facts.narrowed == narrowed && run.facts.comparable() && !is_odd(run);
    });
  };
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (judged_[i].worth != RunWorth::waiting) continue;
    if (is_odd(runs_[i])) {
      if (some_even(runs_[i].facts.narrowed)) apply(i, {RunWorth::unsound, odd_reason(runs_[i].facts), false});
    } else if (confirmed && sets_.complete(*runs_[i].set)) {
      apply(i, {RunWorth::sound, "", false});
    }
  }
}

void HuntJudge::settle_all() {
  const auto lacking = sets_.lacking();
  for (auto& run : runs_) run.lacks = run.set ? lacking[*run.set] : 0;
  auto decided = decide();
  for (std::size_t i = 0; i < runs_.size(); ++i) apply(i, std::move(decided[i]));
}

std::vector<Judged> HuntJudge::decide() const {
  std::vector<Judged> decided;
  for (const auto& run : runs_) decided.push_back(first_judgement(run));
  if (with_reports_) {
    decide_losses(decided);
    decide_odd_ends(decided);
  }
  for (auto& each : decided) {
    if (each.worth == RunWorth::waiting) each.worth = RunWorth::sound;
  }
  return decided;
}

bool HuntJudge::explains_loss(const Run& run) const {
  if (!run.has_failure) return false;
  const auto fails_loudly = [](const Run& other) {
    return other.has_failure && other.facts.comparable() && !other.facts.exited_zero();
  };
  return !run.facts.exited_zero() || std::none_of(runs_.begin(), runs_.end(), fails_loudly);
}

bool HuntJudge::lost_cases(const Run& run, const std::vector<std::size_t>& lacking) const {
  return run.set && lacking[*run.set] > 0 && !explains_loss(run);
}

void HuntJudge::decide_losses(std::vector<Judged>& decided) const {
  const auto lacking = sets_.lacking();
  const auto lost = [&](const Run& run) { return !run.set || lost_cases(run, lacking); };
  const auto worth = std::all_of(runs_.begin(), runs_.end(), lost) ? RunWorth::tolerated : RunWorth::unsound;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!lost_cases(runs_[i], lacking)) continue;
    const auto lacks = lacking[*runs_[i].set];
    decided[i] = {worth, "lacks " + std::to_string(lacks) + (lacks == 1 ? " test" : " tests") + " that other runs have",
                  false};
  }
}

void HuntJudge::decide_odd_ends(std::vector<Judged>& decided) const {
  decide_odd_ends(decided, false);
  decide_odd_ends(decided, true);
}

void HuntJudge::decide_odd_ends(std::vector<Judged>& decided, bool narrowed) const {
  std::map<EndAndCode, std::size_t> ends;
  bool every = true;
  for (const auto& run : runs_) {
    if (run.facts.narrowed != narrowed) continue;
    if (is_odd(run)) ++ends[end_of(run.facts)];
    else if (run.facts.comparable()) every = false;
  }
  std::size_t most = 0;
  for (const auto& [end, count] : ends) most = std::max(most, count);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const auto& run = runs_[i];
    if (run.facts.narrowed != narrowed || !is_odd(run) || decided[i].worth == RunWorth::unsound) continue;
    const bool usual = every && ends[end_of(run.facts)] == most;
    decided[i] = {usual ? RunWorth::tolerated : RunWorth::unsound, odd_reason(run.facts), false};
  }
}

bool HuntJudge::suite_level_disagreed() const {
  const auto count = [&](const auto& wanted) {
    return static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), wanted));
  };
  const auto split = [](std::size_t some, std::size_t all) { return some > 0 && some < all; };
  if (!with_reports_) {
    return split(count([](const Run& run) { return run.facts.exited_zero(); }), runs_.size());
  }
  const auto whole = count([](const Run& run) { return !run.facts.narrowed; });
  const auto comparable = count([](const Run& run) { return run.set.has_value(); });
  const auto odd = count([&](const Run& run) { return run.set && is_odd(run); });
  if (split(comparable, whole) || split(odd, comparable)) return true;
  if (sets_.complete_runs() == comparable) return false;
  const auto lacking = sets_.lacking();
  return split(count([&](const Run& run) { return lost_cases(run, lacking); }), comparable);
}

bool HuntJudge::disagreed() const { return outcomes_.disagreed() || suite_level_disagreed(); }

bool HuntJudge::never_reported() const {
  return with_reports_ &&
         std::none_of(runs_.begin(), runs_.end(), [](const Run& run) { return has_report(run.facts); });
}

bool HuntJudge::never_had_cases() const {
  return with_reports_ && !never_reported() &&
         std::all_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.cases == 0; });
}

}  // namespace flakestat::run
