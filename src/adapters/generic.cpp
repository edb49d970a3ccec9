#include "adapters/generic.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <utility>

#include "base/clean_text.hpp"
#include "base/strings.hpp"
#include "run/narrowing.hpp"
#include "run/run_once.hpp"
#include "run/suite_level.hpp"

namespace flakestat::adapters {
namespace {

using std::chrono::milliseconds;

constexpr int kTestsFailed = 1;
constexpr std::size_t kNamed = 3;  // tests that a message names

std::string plural(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& ids) {
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + in_quotes(ids[i]);
  return ids.size() > kNamed ? text + ", ..." : text;
}

run::HuntPlan plan_for(const GenericOptions& options) {
  run::HuntPlan plan;
  plan.command = options.command;
  plan.junit = options.junit;
  plan.timeout = options.timeout;
  plan.directory = options.directory;
  plan.grace = options.grace;
  plan.leak_wait = options.leak_wait;
  plan.selection = options.selection;
  return plan;
}

dispatch::RerunPolicy policy_for(const GenericOptions& options) {
  auto policy = options.reruns;
  policy.maxfail = 0;
  return policy;
}

RunTest command_test(const std::vector<std::string>& command) {
  const auto stands_for = run::suite_level_case(command, Status::pass, "", 0);
  RunTest test;
  test.suite = stands_for.suite;
  test.class_name = stands_for.class_name;
  test.name = stands_for.name;
  test.test_id = test_id(test.suite, test.class_name, test.name);
  test.id = display_name(test.suite, test.class_name, test.name);
  return test;
}

run::TestChoice choice_of(const RunTest& test) { return {test.suite, test.class_name, test.name, test.file}; }

bool is_exhausted(int error) { return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE; }

}  // namespace

GenericRun::GenericRun(const GenericOptions& options, const GenericHost& host, RunSink& sink)
    : options_(options),
      host_(host),
      sink_(sink),
      plan_(plan_for(options)),
      world_{host.runner, host.clock, host.interrupts, host.read_report},
      tests_(policy_for(options), host.policy_of),
      command_(command_test(options.command)) {}

// Names, paths and what a file called itself are in it.
void GenericRun::say(const std::string& text) { sink_.take(RunNote{clean_line(text)}); }

void GenericRun::say_notes() {
  for (const auto& note : tests_.take_notes()) say(note);
}

void GenericRun::say_leaks(const run::RunResult& result) {
  std::string names;
  for (const auto* left : {&result.leaked, &result.unended}) {
    for (const auto& name : *left) names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return;
  say("the command left processes behind, which were ended: " + names +
      (result.unended.empty() ? "" : " (not all of them could be)"));
}

bool GenericRun::interrupted() const { return interrupted_ || host_.interrupts.level() != sys::Interrupt::none; }

// One process. The report of run 1 is what the user finds afterwards: reruns give its place back.
Result<GenericRun::Made> GenericRun::make(const run::RunOrder& order) {
  std::shared_ptr<run::ReportSlot> place;
  if (const auto path = run::report_path(plan_, order.run); !path.empty()) {
    auto slot = run::ReportSlot::prepare(path);
    if (!slot) return slot.error();
    place = std::make_shared<run::ReportSlot>(std::move(slot).value());
    if (order.run > 1) place->keep_old();
  }
  auto prepared = run::prepare_run(plan_, world_, order, place);
  if (!prepared) return prepared.error();
  prepared->spec.sink = host_.output;
  auto once = run::finish_run(world_, *prepared, host_.runner.run(prepared->spec), "");
  say_leaks(once.result);
  const RunTimes times{prepared->started, host_.clock.unix_millis(), once.evidence.summary.has_timestamps,
                       options_.local_offset_minutes};
  Made made;
  made.result = std::move(once.result);
  made.reported = reported_tests(once.evidence.cases, times);
  made.started = prepared->started;
  made.start_problem = std::move(once.start_problem);
  made.start_error = once.start_error;
  if (order.tests.empty() && made.result.report == run::ReportState::whole) made.set = sets_.add(once.evidence.cases);
  const auto known = order.run == 1 ? options_.known : std::nullopt;
  made.worth = worth_of(made.result, {made.reported.tests.size(), made.reported.any_failing()}, known);
  return made;
}

Result<RunFinished> GenericRun::run() {
  started_ = host_.clock.unix_millis();
  begin_ = host_.clock.monotonic();
  if (options_.reruns.maxfail > 0) {
    say("--maxfail does not reach a command that is not ours: it stops by its own rules");
  }
  if (options_.junit.empty()) say("no report is read (--junit): the command as a whole is the one test");
  FLAKESTAT_TRY(first_run());
  if (!broken_ && !interrupted()) rerun_failures();
  tests_.give_up_all(interrupted() ? "not rerun: the run was interrupted" : "");
  return finish();
}

Result<void> GenericRun::first_run() {
  run::RunOrder order;
  order.run = made_ = 1;
  auto made = make(order);
  if (!made) return made.error();
  if (made->start_error != 0 || !made->start_problem.empty()) {
    return Error{is_exhausted(made->start_error) ? ErrorKind::internal : ErrorKind::missing, made->start_problem};
  }
  if (made->result.end == run::RunEnd::interrupted) {
    interrupted_ = true;
    reasons_.emplace_back("interrupted before the command had ended: nothing is known of its tests");
    return {};
  }
  first_code_ = made->result.code;
  const bool sound = made->worth.sound();
  if (!made->worth.warning.empty()) reasons_.push_back(made->worth.warning);
  if (made->reported.several > 0) {
    say(plural(made->reported.several, "test") + " stood in the report more than once: the worst result counts");
  }
  if (options_.junit.empty() && sound) {
    tests_.take_command(command_, command_attempt(*made));
  } else {
    tests_.take_first(std::move(made->reported), made->worth);
  }
  first_is_whole_ = sound;
  if (!sound) broke(*made, "");
  say_notes();
  return {};
}

RunAttempt GenericRun::command_attempt(const Made& made) const {
  RunAttempt attempt;
  attempt.started = made.started;
  attempt.seconds = static_cast<double>(made.result.use.wall.count()) / 1000;
  if (made.worth.sound() && made.result.code == 0) return attempt;
  attempt.status = made.worth.sound() ? RunStatus::failed : RunStatus::error;
  attempt.trouble = made.worth.trouble;
  attempt.message = made.worth.sound() ? run::describe_end(made.result.end, made.result.code) : made.worth.problem;
  attempt.details = made.result.output_tail;
  return attempt;
}

// `which`: in front of the problem; empty for the first run.
void GenericRun::broke(const Made& made, const std::string& which) {
  auto worth = made.worth;
  worth.problem.insert(0, which);
  reasons_.push_back(worth.problem);
  if (!worth.believed) reasons_.back() += ": nothing that it passed counts";
  auto attempt = command_attempt(made);
  attempt.message.insert(0, which);
  if (worth.worth == Worth::broken) tests_.take_problem(command_, std::move(attempt));
  if (!broken_) broken_ = std::move(worth);
}

int GenericRun::most_rounds() const { return std::max(options_.reruns.reruns, 0); }

// The first failures alone when there are many and the runner can be asked for them: if none recovers, the breaker
// spares the rest.
void GenericRun::rerun_failures() {
  const auto breaker = static_cast<std::size_t>(std::max(options_.reruns.breaker, 0));
  const bool in_parts = options_.selection && breaker > 0 && tests_.queued() > 2 * breaker;
  tests_.admit(in_parts ? breaker : tests_.queued());
  rerun_waiting();
  if (interrupted()) return;
  tests_.admit(tests_.queued());
  rerun_waiting();
}

void GenericRun::rerun_waiting() {
  say_notes();
  for (int round = 1; round <= most_rounds() && !tests_.waiting().empty(); ++round) {
    if (!rerun_once(round)) return;
  }
  tests_.give_up(tests_.waiting(), "not rerun: its first failure came in the last rerun");
}

// False: no further one.
bool GenericRun::rerun_once(int round) {
  const auto order = next_order();
  const auto wanted = tests_.waiting().size();
  if (wanted == 0 || !pause_before_rerun()) return false;
  say_rerun(order, wanted, round);
  made_ = order.run;
  auto made = make(order);
  if (!made) {
    reasons_.push_back("rerun " + std::to_string(order.run - 1) + ": " + made.error().message);
    broken_ = broken_ ? broken_ : RunWorth{Worth::broken, reasons_.back(), RunTrouble::lost, kBroken, {}, true};
    return false;
  }
  if (made->result.end == run::RunEnd::interrupted) {
    interrupted_ = true;
    return false;
  }
  take_rerun(std::move(*made), !order.tests.empty());
  say_notes();
  return true;
}

bool GenericRun::pause_before_rerun() {
  const auto delay = tests_.delay_seconds();
  if (delay > 0 && host_.pause) host_.pause(milliseconds(std::llround(delay * 1000)));
  return !interrupted();
}

// The tests that wait, alone where that can be: then what stands for no test waits no longer.
run::RunOrder GenericRun::next_order() {
  run::RunOrder order;
  order.run = made_ + 1;
  if (!plan_.selection || options_.junit.empty()) return order;
  std::vector<run::TestChoice> choices;
  std::vector<std::size_t> stand_ins;
  for (const auto test : tests_.waiting()) {
    if (tests_.is_stand_in(test)) stand_ins.push_back(test);
    else choices.push_back(choice_of(tests_.test(test)));
  }
  std::vector<TestNames> names;
  for (const auto& choice : choices) names.push_back(run::names_of(choice));
  if (!names.empty()) {
    unnamable_ = run::narrowed_command(*plan_.selection, names, order.run, run::report_path(plan_, order.run)).problem;
    if (!unnamable_.empty()) return order;
  }
  tests_.give_up(stand_ins, "not rerun: it is no test that the runner could be asked for");
  order.tests = std::move(choices);
  return order;
}

void GenericRun::say_rerun(const run::RunOrder& order, std::size_t tests, int round) {
  if (options_.junit.empty()) {
    return say("the command failed: rerun " + std::to_string(round) + " of at most " + std::to_string(most_rounds()));
  }
  auto text = plural(tests, "test") + " failed: rerun " + std::to_string(round) + " of at most " +
              std::to_string(most_rounds());
  if (!order.tests.empty()) text += tests == 1 ? ", of this test alone" : ", of these tests alone";
  else if (!unnamable_.empty()) text += ", of the whole suite, since " + unnamable_;
  else text += ", of the whole suite, since nothing says how to run some tests alone (--select)";
  say(text);
}

// A runner that stops after a failure loses tests for a reason.
bool GenericRun::lost_tests(const Made& made) const {
  const bool explained = made.reported.any_failing() && made.result.code != 0;
  return made.set && !explained && sets_.lacking()[*made.set] > 0;
}

void GenericRun::take_rerun(Made&& made, bool narrowed) {
  const int rerun = made.result.run - 1;
  const auto which = "rerun " + std::to_string(rerun) + ": ";
  if (options_.junit.empty()) {
    if (made.worth.sound()) tests_.take_command(command_, command_attempt(made));
    else broke(made, which);
    return;
  }
  if (made.worth.sound() && lost_tests(made)) {
    made.worth = {Worth::broken,
                  run::describe_end(made.result.end, made.result.code) +
                      ", and tests that ran before are missing: " + listed(tests_.not_in(made.reported)),
                  RunTrouble::lost,
                  made.result.code == 0 ? kBroken : made.result.code,
                  {}};
  }
  const bool clean = made.worth.sound() && made.result.code == 0 && !made.reported.any_failing();
  tests_.take_rerun(std::move(made.reported), {rerun, narrowed, clean, made.worth});
  if (made.worth.worth == Worth::broken) broke(made, which);
}

RunFinished GenericRun::finish() {
  RunStarted start;
  start.run_id = options_.run_id;
  start.command = options_.command;
  start.tests = tests_.tests();
  start.partial = !first_is_whole_;
  start.started = started_;
  sink_.take(start);
  for (const auto& event : tests_.events()) sink_.take(event);
  RunFinished finished;
  finished.totals = tests_.totals();
  finished.seconds = static_cast<double>((host_.clock.monotonic() - begin_).count()) / 1000;
  finished.reasons = reasons_;
  conclude(finished);
  for (auto& reason : finished.reasons) reason = clean_line(reason);
  return finished;
}

void GenericRun::conclude(RunFinished& finished) const {
  const auto& totals = finished.totals;
  const auto failed = totals.failed + totals.errors;
  if (const auto ids = tests_.failed_stand_ins(); !ids.empty()) {
    finished.reasons.push_back(plural(ids.size(), "failure") + " of what is no test, but a build or a set-up: " +
                               listed(ids) + "; the tests behind it did not run");
  }
  if (!broken_ && first_code_ == 0 && failed > 0 && !options_.junit.empty()) {
    finished.reasons.push_back("the command ended with exit code 0 although tests failed");
  }
  if (interrupted()) {
    finished.end = flakestat::RunEnd::interrupted;
    finished.exit_code = kSignalled + (host_.first_signal ? host_.first_signal() : SIGINT);
  } else if (broken_) {
    const bool nothing = broken_->worth == Worth::nothing_ran;
    finished.end = nothing ? flakestat::RunEnd::nothing_ran : flakestat::RunEnd::runner_failed;
    finished.exit_code = broken_->exit_code;
  } else if (failed > 0) {
    finished.end = flakestat::RunEnd::tests_failed;
    finished.exit_code = kTestsFailed;
  }
}

void pause_until_interrupted(sys::InterruptSource& interrupts, const sys::Clock& clock, milliseconds duration) {
  const auto end = clock.monotonic() + duration;
  while (interrupts.level() == sys::Interrupt::none) {
    const auto left = end - clock.monotonic();
    if (left.count() <= 0) return;
    pollfd news{interrupts.wake_fd(), POLLIN, 0};
    ::poll(&news, 1, static_cast<int>(std::min<milliseconds::rep>(left.count(), 60'000)));
    interrupts.acknowledge();
  }
}

}  // namespace flakestat::adapters
