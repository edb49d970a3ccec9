#include "run/hunt.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include "run/hunt_advice.hpp"
#include "run/hunt_judge.hpp"
#include "run/placeholders.hpp"
#include "run/report_glob.hpp"
#include "run/run_once.hpp"
#include "run/suite_level.hpp"

namespace flakestat::run {
namespace {

using std::chrono::milliseconds;

constexpr int kRunsWithoutReport = 3;             // then a path that no run writes to is given up
constexpr std::size_t kWaitingCases = 1'000'000;  // then waiting runs are decided with what is known

Error usage(std::string message) { return {ErrorKind::usage, std::move(message)}; }

Result<void> check(const HuntPlan& plan) {
  if (plan.command.empty() || plan.command.front().empty())
    return usage("there is no command to run: put it behind --");
  if (plan.runs < 1) return usage("--runs " + std::to_string(plan.runs) + ": at least one run is needed");
  if (plan.timeout && plan.timeout->count() <= 0) return usage("--timeout: must be more than nothing");
  if (!uses_junit(plan.command)) return {};
  if (plan.junit.empty()) return usage("the command uses {junit}, but there is no --junit: add --junit PATH");
  if (is_glob(plan.junit))
    return usage("{junit} in the command needs one path, but --junit " + plan.junit + " is a glob");
  return {};
}

// What the machine refuses for want of memory or processes says nothing about the command.
Error start_error(const RunOnce& once) {
  const bool exhausted = once.start_error == EAGAIN || once.start_error == ENOMEM || once.start_error == EMFILE ||
                         once.start_error == ENFILE;
  return {exhausted ? ErrorKind::internal : ErrorKind::missing, once.start_problem};
}

class Hunt {
 public:
  Hunt(const HuntPlan& plan, const HuntHost& host, const HuntEvents& events)
      : plan_(plan), host_(host), events_(events), judge_(!plan.junit.empty()), start_(host.clock.monotonic()) {
    result_.exit_codes_only = plan.junit.empty();
  }

  Result<HuntResult> run() {
    tell_progress();
    for (int number = 1; number <= plan_.runs && !over_; ++number) FLAKESTAT_TRY(next_run(number));
    FLAKESTAT_TRY(conclude());
    return std::move(result_);
  }

 private:
  Result<void> next_run(int number);
  Result<void> take(RunOnce&& once);
  Result<void> give_out_settled();
  Result<void> conclude();
  Result<void> give_out_suite_level();
  void hold(RunOnce& once);
  void bound_waiting();
  void note_failing_output(const RunResult& run);
  void warn();
  void warn_processes(std::vector<std::string> RunResult::*processes, const std::string& what);
  void tell_progress() const;
  Result<void> store(RunEvidence&& evidence) const {
    return events_.store ? events_.store(std::move(evidence)) : Result<void>();
  }
  [[nodiscard]] std::optional<Case> suite_level(std::size_t index) const;
  [[nodiscard]] Case suite_case(const RunResult& run, Status status, const std::string& message) const;
  [[nodiscard]] bool gave_up() const;
  [[nodiscard]] std::optional<Error> problem() const;

  const HuntPlan& plan_;
  const HuntHost& host_;
  const HuntEvents& events_;
  HuntJudge judge_;
  HuntResult result_;
  std::map<std::size_t, RunEvidence> waiting_;  ///< by index in result_.runs
  std::size_t waiting_cases_ = 0;
  std::vector<milliseconds> durations_;
  milliseconds start_;
  milliseconds run_start_{0};
  int failed_ = 0;
  bool over_ = false;
};

Result<void> Hunt::next_run(int number) {
  if (host_.interrupts.level() != sys::Interrupt::none) {
    over_ = result_.interrupted = true;
    return {};
  }
  run_start_ = host_.clock.monotonic();
  auto once = run_once(plan_, host_, number, [this] { tell_progress(); });
  if (!once) return once.error();
  if (once->result.end == RunEnd::interrupted) {
    over_ = result_.interrupted = true;
    return {};
  }
  if (once->result.end == RunEnd::failed_to_start && number == 1) {
    return start_error(*once);
  }
  return take(std::move(*once));
}

Result<void> Hunt::take(RunOnce&& once) {
  judge_.add(facts_of(once.result), once.evidence.cases);
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
  run.output_tail.clear();
  run_start_ = host_.clock.monotonic();
  tell_progress();
  over_ = (plan_.until_fail && judge_.disagreed()) || gave_up();
  return {};
}

void Hunt::hold(RunOnce& once) {
  if (result_.exit_codes_only) {
    const auto& run = once.result;
    const bool passed = run.end == RunEnd::exited && run.code == 0;
    once.evidence.suite_level =
        suite_case(run, passed ? Status::pass : Status::fail, passed ? "" : describe_end(run.end, run.code));
  }
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
    if (counts(worth)) FLAKESTAT_TRY(store(std::move(evidence)));
  }
  return {};
}

bool Hunt::gave_up() const {
  return static_cast<int>(result_.runs.size()) >= kRunsWithoutReport && judge_.never_reported() &&
         std::all_of(result_.runs.begin(), result_.runs.end(),
                     [](const RunResult& run) { return run.end == RunEnd::exited; });
}

Result<void> Hunt::conclude() {
  judge_.settle_all();
  FLAKESTAT_TRY(give_out_settled());
  for (std::size_t i = 0; i < result_.runs.size(); ++i) {
    result_.runs[i].worth = judge_.judged()[i].worth;
    result_.runs[i].reason = judge_.judged()[i].reason;
  }
  result_.disagreed = judge_.disagreed();
  result_.problem = problem();
  warn();
  return give_out_suite_level();
}

Case Hunt::suite_case(const RunResult& run, Status status, const std::string& message) const {
  return suite_level_case(plan_.command, status, message, static_cast<double>(run.use.wall.count()));
}

// With reports the suite-level test exists only where some run needs it; then the green runs are its passes. A run with
// failing cases is no result of it: what failed there has names of its own.
std::optional<Case> Hunt::suite_level(std::size_t index) const {
  const auto& run = result_.runs[index];
  if (run.worth == RunWorth::unsound || run.worth == RunWorth::partial) {
    const bool unknown_path = judge_.never_reported() && run.end == RunEnd::exited;
    if (unknown_path) return std::nullopt;
    return suite_case(run, Status::fail, run.reason);
  }
  const bool green = run.end == RunEnd::exited && run.code == 0 && run.counts.failures + run.counts.errors == 0;
  return green ? std::optional(suite_case(run, Status::pass, "")) : std::nullopt;
}

Result<void> Hunt::give_out_suite_level() {
  const auto& runs = result_.runs;
  const bool needed = std::any_of(runs.begin(), runs.end(), [](const RunResult& run) {
    return run.worth == RunWorth::unsound || run.worth == RunWorth::partial;
  });
  if (!needed || result_.exit_codes_only) return {};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto result = suite_level(i);
    if (!result) continue;
    RunEvidence evidence;
    evidence.run = runs[i].run;
    evidence.started = runs[i].started;
    evidence.wall_ms = runs[i].use.wall.count();
    evidence.suite_level = std::move(result);
    FLAKESTAT_TRY(store(std::move(evidence)));
  }
  return {};
}

std::optional<Error> Hunt::problem() const {
  if (result_.runs.empty()) return std::nullopt;
  const auto runs = std::to_string(result_.runs.size()) + (result_.runs.size() == 1 ? " run" : " runs");
  if (judge_.never_reported()) {
    return Error{ErrorKind::missing, "no report in " + runs + ": " + result_.runs.front().report_problem + " (" +
                                         describe_end(result_.runs.front().end, result_.runs.front().code) +
                                         "); check --junit against what the command writes"};
  }
  if (judge_.never_had_cases()) return Error{ErrorKind::missing, "no test in the reports of " + runs + ": nothing ran"};
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
  warn_processes(&RunResult::leaked, "left processes behind, which were ended");
  warn_processes(&RunResult::unended, "left processes behind that could not be ended");
  for (auto& advice : hunt_advice(plan_.command)) warnings.push_back(std::move(advice));
}

void Hunt::tell_progress() const {
  if (!events_.progress) return;
  const auto now = host_.clock.monotonic();
  const bool in_run = static_cast<int>(durations_.size()) < plan_.runs && run_start_.count() != 0;
  events_.progress(
      progress_of({plan_.runs, failed_, now - start_, in_run ? now - run_start_ : milliseconds(0), durations_}));
}

}  // namespace

Result<HuntResult> hunt(const HuntPlan& plan, const HuntHost& host, const HuntEvents& events) {
  FLAKESTAT_TRY(check(plan));
  return Hunt(plan, host, events).run();
}

}  // namespace flakestat::run
