#include "run/hunt.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <span>
#include <utility>

#include "base/strings.hpp"
#include "run/hunt_advice.hpp"
#include "run/hunt_course.hpp"
#include "run/hunt_judge.hpp"
#include "run/hunt_plan_check.hpp"
#include "run/hunt_runs.hpp"
#include "run/hunt_target.hpp"
#include "run/run_once.hpp"
#include "run/suite_level.hpp"

namespace flakestat::run {
namespace {

using std::chrono::milliseconds;

constexpr int kRunsWithoutReport = 3;             // then a path that no run writes to is given up
constexpr std::size_t kLostAtOnce = 3;            // then copies do not work here at all
constexpr std::size_t kWaitingCases = 1'000'000;  // then waiting runs are decided with what is known

// What the machine refuses for want of memory or processes says nothing about the command.
Error start_error(const RunOnce& once) {
  const bool exhausted = once.start_error == EAGAIN || once.start_error == ENOMEM || once.start_error == EMFILE ||
                         once.start_error == ENFILE;
  return {exhausted ? ErrorKind::internal : ErrorKind::missing, once.start_problem};
}

// A copy whose command does not even start, as it did in run 1, is our doing (what hides it), or the machine's.
bool is_lost(const RunOnce& once) {
  const auto& run = once.result;
  return run.end == RunEnd::lost || (run.end == RunEnd::failed_to_start && run.mode == RunMode::beside);
}

class Hunt {
 public:
  Hunt(const HuntPlan& plan, const HuntHost& host, const HuntEvents& events)
      : plan_(plan),
        host_(host),
        events_(events),
        judge_(!plan.junit.empty()),
        course_({plan.runs, plan.parallel, plan.verify}),
        target_(plan),
        runs_(plan, host, events),
        start_(host.clock.monotonic()) {
    result_.exit_codes_only = plan.junit.empty();
  }

  Result<HuntResult> run() {
    tell_progress();
    for (;;) {
      FLAKESTAT_TRY(start_runs());
      if (runs_.running() == 0) break;
      FLAKESTAT_TRY(take_next());
    }
    FLAKESTAT_TRY(conclude());
    return std::move(result_);
  }

 private:
  Result<void> start_runs();
  std::optional<RunOrder> next_order();
  Result<void> put_off(const RunOrder& order, const Error& error);
  Result<void> take_next();
  Result<void> take(RunOnce&& once);
  void lose(const RunOnce& once);
  Result<void> give_out_settled();
  Result<void> give_out(RunEvidence&& evidence);
  Result<void> conclude();
  Result<void> give_out_suite_level();
  void hold(RunOnce& once);
  void bound_waiting();
  void note_failing_output(const RunResult& run);
  void note_contended();
  void note_unproved();
  void warn();
  void warn_processes(std::vector<std::string> RunResult::*processes, const std::string& what);
  void tell_progress() const;
  Result<void> store(RunEvidence&& evidence) const {
    return events_.store ? events_.store(std::move(evidence)) : Result<void>();
  }
  [[nodiscard]] CourseFacts facts();
  [[nodiscard]] TestTally suite_level_tally() const;
  [[nodiscard]] std::vector<TestId> in_doubt(const RunEvidence& evidence) const;
  [[nodiscard]] std::optional<Case> suite_level(std::size_t index) const;
  [[nodiscard]] Case suite_case(const RunResult& run, Status status, const std::string& message) const;
  [[nodiscard]] bool gave_up() const;
  [[nodiscard]] std::optional<Error> problem() const;

  const HuntPlan& plan_;
  const HuntHost& host_;
  const HuntEvents& events_;
  HuntJudge judge_;
  HuntCourse course_;
  HuntTarget target_;
  HuntRuns runs_;
  HuntResult result_;
  std::map<std::size_t, RunEvidence> waiting_;  ///< by index in result_.runs
  std::size_t waiting_cases_ = 0;
  std::vector<milliseconds> durations_;
  std::vector<int> lost_;
  std::string lost_problem_;
  std::optional<RunOrder> put_off_;  ///< there was no room for it
  int at_most_ = 0;                  ///< copies at a time, then
  std::string crowded_;              ///< why
  std::optional<Error> broken_;
  milliseconds start_;
  milliseconds run_start_{0};
  int failed_ = 0;
};

Result<void> Hunt::start_runs() {
  if (host_.interrupts.level() != sys::Interrupt::none) result_.interrupted = true;
  while (auto order = next_order()) {
    run_start_ = host_.clock.monotonic();
    order->tests = target_.choose(*order);
    if (auto started = runs_.start(*order); !started) return put_off(*order, started.error());
  }
  return {};
}

std::optional<RunOrder> Hunt::next_order() {
  const auto now = facts();
  if (now.enough || now.late) put_off_.reset();
  if (!put_off_) return course_.next(now);
  if (now.stopped || now.running >= at_most_) return std::nullopt;
  return std::exchange(put_off_, std::nullopt);
}

// What there was room for goes on alone, and what was found is kept. Without even that there is nothing to go on with.
Result<void> Hunt::put_off(const RunOrder& order, const Error& error) {
  if (result_.runs.empty()) return error;
  if (runs_.running() == 0) {
    broken_ = error;
    return {};
  }
  at_most_ = runs_.running();
  put_off_ = order;
  if (crowded_.empty()) crowded_ = error.message;
  return {};
}

CourseFacts Hunt::facts() {
  CourseFacts now;
  now.running = runs_.running();
  now.ended = static_cast<int>(result_.runs.size());
  now.enough =
      (plan_.until_fail && judge_.disagreed()) || gave_up() || target_.settled() || target_.asks_for_nothing(now.ended);
  now.stopped = result_.interrupted || broken_.has_value();
  now.late = target_.is_late(host_.clock.monotonic() - start_);
  if (plan_.parallel > 1 && now.running == 0) {
    const auto& tests = judge_.outcomes().tests();
    now.doubtful = std::any_of(tests.begin(), tests.end(), [](const auto& each) { return each.second.doubtful(); }) ||
                   suite_level_tally().doubtful();
  }
  return now;
}

Result<void> Hunt::take_next() {
  auto once = runs_.next([this] { tell_progress(); });
  if (once.result.end == RunEnd::interrupted) {
    result_.interrupted = true;
    return {};
  }
  if (is_lost(once)) {
    lose(once);
    return {};
  }
  if (once.result.end == RunEnd::failed_to_start && once.result.run == 1) return start_error(once);
  return take(std::move(once));
}

// Neither a pass nor a failure. Some may be lost to want of memory; when every copy is, going on makes no sense.
void Hunt::lose(const RunOnce& once) {
  lost_.push_back(once.result.run);
  if (lost_problem_.empty()) {
    lost_problem_ = once.start_problem;
    const bool hidden = once.result.end == RunEnd::failed_to_start && once.start_error == ENOENT && plan_.isolation &&
                        plan_.isolation->isolation.tmp;
    if (hidden) lost_problem_ += " (private temporary folders hide what is in the shared ones: --isolate without tmp)";
  }
  const bool all = std::none_of(result_.runs.begin(), result_.runs.end(),
                                [](const RunResult& run) { return run.mode == RunMode::beside; });
  if (all && lost_.size() >= kLostAtOnce)
    broken_ = Error{ErrorKind::internal, "no copy of the command came to an end: " + lost_problem_};
}

Result<void> Hunt::take(RunOnce&& once) {
  target_.check(once);
  if (result_.exit_codes_only) {
    const auto& run = once.result;
    const bool passed = run.end == RunEnd::exited && run.code == 0;
    once.evidence.suite_level =
        suite_case(run, passed ? Status::pass : Status::fail, passed ? "" : describe_end(run.end, run.code));
    once.evidence.outcomes = judge_.add(facts_of(run), std::span(&*once.evidence.suite_level, 1));
  } else {
    once.evidence.outcomes = judge_.add(facts_of(once.result), once.evidence.cases);
    target_.note_doubts(once);
  }
  target_.look(judge_.outcomes());
  result_.runs.push_back(once.result);
  hold(once);
  bound_waiting();
  FLAKESTAT_TRY(give_out_settled());
  auto& run = result_.runs.back();
  run.worth = judge_.judged().back().worth;
  run.reason = judge_.judged().back().reason;
  note_failing_output(run);
  durations_.push_back(run.use.wall);
  failed_ += run.failed() ? 1 : 0;
  if (events_.run_ended) events_.run_ended(run);
  if (events_.tallied) events_.tallied(run.run, judge_.outcomes());
  run.output_tail.clear();
  run_start_ = host_.clock.monotonic();
  tell_progress();
  return {};
}

void Hunt::hold(RunOnce& once) {
  if (once.evidence.mode == RunMode::beside) once.evidence.isolation = isolation_of(plan_);
  waiting_cases_ += once.evidence.cases.size();
  waiting_.emplace(result_.runs.size() - 1, std::move(once.evidence));
}

void Hunt::bound_waiting() {
  if (waiting_cases_ > kWaitingCases && waiting_.size() > 2) judge_.settle_all();
}

Result<void> Hunt::give_out_settled() {
  for (auto held = waiting_.begin(); held != waiting_.end();) {
    const auto worth = judge_.judged()[held->first].worth;
    if (worth == RunWorth::waiting) {
      ++held;
      continue;
    }
    auto evidence = std::move(held->second);
    waiting_cases_ -= evidence.cases.size();
    held = waiting_.erase(held);
    evidence.partial = worth == RunWorth::partial;
    if (counts(worth)) FLAKESTAT_TRY(give_out(std::move(evidence)));
  }
  return {};
}

Result<void> Hunt::give_out(RunEvidence&& evidence) {
  evidence.in_doubt = in_doubt(evidence);
  return store(std::move(evidence));
}

// What failed here, and what failed alone in run 1: either may turn out to be the copies' or the isolation's doing.
std::vector<TestId> Hunt::in_doubt(const RunEvidence& evidence) const {
  std::vector<TestId> ids;
  const bool beside = evidence.mode == RunMode::beside && (plan_.verify >= 1 || !has_own_network(plan_));
  const auto& tests = judge_.outcomes().tests();
  const auto& doubts = target_.doubts();
  if (!beside && !evidence.narrowed) return ids;
  for (const auto& each : evidence.outcomes) {
    const auto found = tests.find(each.id);
    const bool failed_alone = found != tests.end() && found->second.alone.fails > 0;
    const bool copies = beside && (failed_alone || failed(each.outcome));
    if (copies || doubts.is_doubtful(each.id)) ids.push_back(each.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

bool Hunt::gave_up() const {
  return static_cast<int>(result_.runs.size()) >= kRunsWithoutReport && judge_.never_reported() &&
         std::all_of(result_.runs.begin(), result_.runs.end(),
                     [](const RunResult& run) { return run.end == RunEnd::exited; });
}

// With exit codes only the suite-level test is among the judge's; with reports it is told from what the runs were
// worth.
TestTally Hunt::suite_level_tally() const {
  TestTally tally;
  if (result_.exit_codes_only) return tally;
  tally.test = {kSuiteLevel, kSuiteLevel, suite_level_name(plan_.command), ""};
  for (std::size_t i = 0; i < result_.runs.size(); ++i) {
    const auto result = suite_level(i);
    if (!result) continue;
    auto& side = result_.runs[i].mode == RunMode::alone ? tally.alone : tally.beside;
    ++(is_failure(result->status) ? side.fails : side.passes);
  }
  return tally;
}

// What was not verified to the end (Ctrl-C, no time, --verify 0) is in doubt still, unless each copy had all of its
// own.
void Hunt::note_contended() {
  result_.verifying = course_.verifying();
  const bool verified = plan_.verify > 0 && !result_.interrupted && !result_.out_of_time;
  if (plan_.parallel <= 1 || (!verified && has_own_network(plan_))) return;
  auto note = [&](const TestTally& tally) {
    if (tally.doubtful()) result_.contended.push_back({tally, tally.isolation_sensitive()});
  };
  for (const auto& [id, tally] : judge_.outcomes().tests()) note(tally);
  note(suite_level_tally());
  std::sort(result_.contended.begin(), result_.contended.end(),
            [](const Doubt& a, const Doubt& b) { return is_named_before(a.tally.test, b.tally.test); });
}

void Hunt::note_unproved() {
  const auto& tests = judge_.outcomes().tests();
  for (const auto id : target_.doubts().doubtful()) {
    const auto found = tests.find(id);
    if (found != tests.end() && found->second.total().disagreed()) result_.unproved.push_back(found->second);
  }
  if (result_.unproved.empty()) return;
  std::sort(result_.unproved.begin(), result_.unproved.end(),
            [](const TestTally& a, const TestTally& b) { return is_named_before(a.test, b.test); });
  const auto count = result_.unproved.size();
  result_.warnings.push_back(
      in_quotes(result_.unproved.front().test.name) +
      (count == 1 ? "" : " and " + std::to_string(count - 1) + " more") +
      " had one result when the whole suite ran and another when some tests were left out, and never both with the "
      "same "
      "tests: that is no proof of a flake, it may depend on a test that was left out; a hunt without {tests} decides");
}

Result<void> Hunt::conclude() {
  judge_.settle_all();
  FLAKESTAT_TRY(give_out_settled());
  for (std::size_t i = 0; i < result_.runs.size(); ++i) {
    result_.runs[i].worth = judge_.judged()[i].worth;
    result_.runs[i].reason = judge_.judged()[i].reason;
  }
  result_.disagreed = judge_.disagreed();
  result_.out_of_time = course_.cut_short();
  result_.tests = target_.standings(judge_.outcomes());
  target_.look(judge_.outcomes());
  result_.settled = target_.settled();
  result_.narrowed = target_.narrowed_runs();
  result_.problem = problem();
  note_contended();
  note_unproved();
  FLAKESTAT_TRY(give_out_suite_level());
  std::sort(result_.runs.begin(), result_.runs.end(), [](const auto& a, const auto& b) { return a.run < b.run; });
  warn();
  return {};
}

Case Hunt::suite_case(const RunResult& run, Status status, const std::string& message) const {
  return suite_level_case(plan_.command, status, message, static_cast<double>(run.use.wall.count()));
}

// A narrowed run is none of its results, unless the process crashed or hung: that nothing matched may be the
// selection's fault. With reports the suite-level test exists only where some run needs it; then the green runs are its
// passes. A run with failing cases is no result of it: what failed there has names of its own.
std::optional<Case> Hunt::suite_level(std::size_t index) const {
  const auto& run = result_.runs[index];
  const auto& judged = judge_.judged()[index];
  // How a run of some tests ends depends on which, and on how well the runner was told: only a crash says something.
  if (!run.tests.empty() && !was_ended(run.end)) return std::nullopt;
  if (judged.worth == RunWorth::unsound || judged.worth == RunWorth::partial) {
    const bool unknown_path = judge_.never_reported() && run.end == RunEnd::exited;
    if (unknown_path) return std::nullopt;
    return suite_case(run, Status::fail, judged.reason);
  }
  const bool green = run.end == RunEnd::exited && run.code == 0 && run.counts.failures + run.counts.errors == 0;
  return green ? std::optional(suite_case(run, Status::pass, "")) : std::nullopt;
}

Result<void> Hunt::give_out_suite_level() {
  const auto& runs = result_.runs;
  std::vector<std::optional<Case>> results;
  for (std::size_t i = 0; i < runs.size(); ++i) results.push_back(suite_level(i));
  const bool needed = std::any_of(results.begin(), results.end(),
                                  [](const auto& result) { return result && is_failure(result->status); });
  if (!needed || result_.exit_codes_only) return {};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!results[i]) continue;
    RunEvidence evidence;
    evidence.run = runs[i].run;
    evidence.mode = runs[i].mode;
    if (evidence.mode == RunMode::beside) evidence.isolation = isolation_of(plan_);
    evidence.narrowed = !runs[i].tests.empty();
    evidence.started = runs[i].started;
    evidence.wall_ms = runs[i].use.wall.count();
    evidence.outcomes = outcomes_of(std::span(&*results[i], 1));
    evidence.suite_level = std::move(results[i]);
    FLAKESTAT_TRY(give_out(std::move(evidence)));
  }
  return {};
}

std::optional<Error> Hunt::problem() const {
  if (broken_) return broken_;
  if (result_.runs.empty()) return std::nullopt;
  const auto runs = std::to_string(result_.runs.size()) + (result_.runs.size() == 1 ? " run" : " runs");
  if (judge_.never_reported()) {
    return Error{ErrorKind::missing, "no report in " + runs + ": " + result_.runs.front().report_problem + " (" +
                                         describe_end(result_.runs.front().end, result_.runs.front().code) +
                                         "); check --junit against what the command writes"};
  }
  if (judge_.never_had_cases()) return Error{ErrorKind::missing, "no test in the reports of " + runs + ": nothing ran"};
  if (target_.asks_for_nothing(static_cast<int>(result_.runs.size()))) {
    return Error{ErrorKind::missing, "--filter selects no test that passed or failed in " + runs};
  }
  return std::nullopt;
}

void Hunt::note_failing_output(const RunResult& run) {
  const bool named = run.counts.failures + run.counts.errors > 0;
  if (result_.first_failing_run != 0 || named || !run.failed()) return;
  result_.first_failing_run = run.run;
  result_.first_failing_output = run.output_tail;
}

void Hunt::warn_processes(std::vector<std::string> RunResult::*processes, const std::string& what) {
  std::vector<int> runs;
  std::string example;
  for (const auto& run : result_.runs) {
    if ((run.*processes).empty()) continue;
    runs.push_back(run.run);
    if (example.empty()) example = (run.*processes).front();
  }
  if (!runs.empty()) result_.warnings.push_back(run_list(runs) + ": " + what + ", such as " + example);
}

void Hunt::warn() {
  auto& warnings = result_.warnings;
  if (result_.exit_codes_only) {
    warnings.push_back("without --junit the exit code is all there is: one test, " + suite_level_name(plan_.command) +
                       "; name the report to see the tests behind it");
  }
  for (auto& each : judge_.warnings()) warnings.push_back(std::move(each));
  if (!lost_.empty()) warnings.push_back(run_list(lost_) + ": lost, and counted for nothing: " + lost_problem_);
  if (!crowded_.empty()) {
    warnings.push_back("there was no room for " + std::to_string(plan_.parallel) + " copies at a time: " + crowded_);
  }
  for (auto& each : target_.warnings()) warnings.push_back(std::move(each));
  warn_processes(&RunResult::leaked, "left processes behind, which were ended");
  warn_processes(&RunResult::unended, "left processes behind that could not be ended");
  warn_processes(&RunResult::not_kept, "something could not be handed back to the tree");
  for (auto& advice : hunt_advice(plan_.command)) warnings.push_back(std::move(advice));
}

void Hunt::tell_progress() const {
  if (!events_.progress) return;
  const auto now = host_.clock.monotonic();
  const int total = target_.most_runs(static_cast<int>(result_.runs.size())) + course_.verifying();
  const bool in_run = static_cast<int>(durations_.size()) < total && run_start_.count() != 0;
  ProgressFacts facts{total, failed_, now - start_, in_run ? now - run_start_ : milliseconds(0), durations_};
  facts.parallel = plan_.parallel;
  facts.running = runs_.running();
  facts.pace = target_.pace();
  events_.progress(progress_of(facts));
}

}  // namespace

Result<HuntResult> hunt(const HuntPlan& plan, const HuntHost& host, const HuntEvents& events) {
  FLAKESTAT_TRY(check_plan(plan));
  return Hunt(plan, host, events).run();
}

}  // namespace flakestat::run
