#include "adapters/pytest_run.hpp"

#include <poll.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace flakestat::adapters {
namespace {

constexpr int kTick = 100;  // milliseconds
constexpr std::chrono::milliseconds kGrace{5000};
// A signal to our whole process group has reached pytest by then, and it has said so.
constexpr std::chrono::milliseconds kForTheTerminal{1500};

using Stage = PytestSession::Stage;

std::size_t total_tests(const std::vector<std::unique_ptr<PytestSession>>& sessions) {
  std::size_t total = 0;
  for (const auto& session : sessions) total += session->suite().tests.size();
  return total;
}

}  // namespace

PytestRun::PytestRun(PytestRunOptions options, const sys::Clock& clock, sys::InterruptSource& interrupts, RunSink& sink)
    : options_(std::move(options)), clock_(clock), interrupts_(interrupts), sink_(sink) {}

Result<void> PytestRun::start() {
  for (const auto& project : options_.projects) {
    sessions_.push_back(std::make_unique<PytestSession>(project, options_.shared, clock_));
    FLAKESTAT_TRY(sessions_.back()->start());
  }
  return {};
}

bool PytestRun::all_at(Stage stage) const {
  return std::all_of(sessions_.begin(), sessions_.end(), [&](const auto& session) {
    return session->stage() == stage || session->stage() == Stage::ended;
  });
}

void PytestRun::wait(int milliseconds) {
  std::vector<pollfd> polls;
  for (const auto& session : sessions_) {
    session->add_polls(polls);
    if (session->patience() >= 0) milliseconds = std::min(milliseconds, session->patience());
  }
  if (interrupts_.wake_fd() >= 0) polls.push_back({interrupts_.wake_fd(), POLLIN, 0});
  ::poll(polls.data(), polls.size(), milliseconds);
}

void PytestRun::look_for_interrupts() {
  interrupts_.acknowledge();
  auto level = interrupts_.level();
  if (level == sys::Interrupt::none) return;
  if (told_ == sys::Interrupt::none) interrupted_at_ = clock_.monotonic();
  if (told_ == sys::Interrupt::finish && clock_.monotonic() - interrupted_at_ > kGrace) level = sys::Interrupt::now;
  const bool unseen = interrupts_.sent_by_process() && clock_.monotonic() - interrupted_at_ > kForTheTerminal;
  if (told_ == sys::Interrupt::finish && unseen && !std::exchange(passed_on_, true)) {
    for (auto& session : sessions_) session->pass_interrupt_on();
  }
  if (level == told_) return;
  told_ = level;
  for (auto& session : sessions_) session->interrupt(level == sys::Interrupt::now);
}

Result<PytestOutcome> PytestRun::run(const PytestPlanner& planner, const std::function<void()>& tick) {
  started_ = clock_.unix_millis();
  const sys::WorkerNursery nursery;
  FLAKESTAT_TRY(start());
  bool begun = false;
  while (!all_at(Stage::ended)) {
    for (auto& session : sessions_) session->step();
    if (!begun && all_at(Stage::collected)) {
      begun = true;
      FLAKESTAT_TRY(begin(planner));
      continue;
    }
    spread_stop();
    if (all_at(Stage::ended)) break;
    wait(kTick);
    look_for_interrupts();
    if (tick) tick();
  }
  if (!begun) FLAKESTAT_TRY(begin(planner));  // tells what was collected, though nothing ran
  return outcome();
}

Result<void> PytestRun::begin(const PytestPlanner& planner) {
  std::vector<const PytestSuite*> suites;
  for (const auto& session : sessions_) {
    if (!session->needs_one_process().empty() || !session->wants_workers().empty()) return {};
    suites.push_back(&session->suite());
  }
  auto plan = planner(suites);
  if (!plan) return plan.error();
  lifecycle_ = std::make_unique<dispatch::Lifecycle>(plan->policy, plan->tests);
  chosen_ = plan->order.size();
  announce(*plan);
  std::size_t base = 0;
  for (std::size_t session = 0; session < sessions_.size(); ++session) {
    begin_session(session, base, *plan);
    base += sessions_[session]->suite().tests.size();
  }
  return {};
}

void PytestRun::announce(const PytestPlan& plan) {
  RunStarted event;
  event.run_id = options_.shared.run_id;
  event.command = options_.command;
  event.tests.reserve(total_tests(sessions_));
  for (const auto& session : sessions_) {
    const auto& suite = session->suite();
    event.tests.insert(event.tests.end(), suite.tests.begin(), suite.tests.end());
    event.deselected += suite.deselected;
  }
  event.deselected += event.tests.size() - plan.order.size();
  for (const auto& project : options_.projects) event.workers += project.workers;
  event.partial = plan.partial;
  event.shuffle_seed = plan.shuffle_seed;
  event.started = started_;
  sink_.take(std::move(event));
  for (auto& session : sessions_) {
    for (auto& each : session->take_collection_events()) {
      const auto* problem = std::get_if<CollectionProblem>(&each);
      if (problem != nullptr && !problem->id.empty()) ++uncollected_;
      sink_.take(each);
    }
  }
}

void PytestRun::begin_session(std::size_t session, std::size_t base, const PytestPlan& plan) {
  auto& target = *sessions_[session];
  if (target.stage() != Stage::collected) return;
  const auto& suite = target.suite();
  PytestTask task;
  task.base = base;
  task.dist = options_.dist;
  if (options_.adopts_dist) task.dist = dispatch::parse_dist(suite.hello.dist).value_or(options_.dist);
  if (task.dist == dispatch::Dist::each && !options_.shared.each) task.dist = options_.dist;
  task.start = plan.as_ordered ? dispatch::Start::as_given : dispatch::Start::slow_first;
  for (const auto index : plan.order) {
    if (index < base || index >= base + suite.tests.size()) continue;
    const auto local = index - base;
    task.order.push_back(local);
    dispatch::ScheduledTest test;
    test.id = suite.tests[local].id;
    test.group = suite.marks[local].group;
    test.serial = suite.marks[local].serial;
    test.urgent = index < plan.urgent.size() && plan.urgent[index];
    test.seconds = plan.seconds[index];
    task.scheduled.push_back(test);
  }
  target.begin(task, *lifecycle_, sink_);
}

// A limit that was reached in one project ends the others, too.
void PytestRun::spread_stop() {
  const bool stopped =
      std::any_of(sessions_.begin(), sessions_.end(), [](const auto& each) { return each->stopped(); });
  if (!stopped) return;
  for (auto& session : sessions_) session->stop("another project's run was stopped");
}

void PytestRun::give_up_open() {
  for (std::size_t test = 0; test < total_tests(sessions_); ++test) {
    if (lifecycle_->open(test)) sink_.take(lifecycle_->give_up(test));
  }
}

PytestOutcome PytestRun::outcome() {
  PytestOutcome outcome;
  for (const auto& session : sessions_) {
    outcome.hellos.push_back(session->suite().hello);
    if (!session->needs_one_process().empty()) outcome.needs_one_process = session->needs_one_process();
    if (!session->wants_workers().empty()) outcome.wants_workers = session->wants_workers();
  }
  if (!outcome.needs_one_process.empty() || !outcome.wants_workers.empty()) return outcome;
  give_up_open();
  auto& finished = outcome.finished;
  finished.totals = lifecycle_->totals();
  finished.totals.errors += uncollected_;
  const auto unchosen = total_tests(sessions_) - chosen_;
  finished.totals.not_run -= std::min<std::uint64_t>(finished.totals.not_run, unchosen);
  for (const auto& session : sessions_) {
    finished.totals.deselected += session->suite().deselected;
    finished.totals.warnings += session->warnings();
  }
  finished.totals.deselected += unchosen;
  finished.seconds = static_cast<double>(clock_.unix_millis() - started_) / 1000;
  judge(finished);
  return outcome;
}

// --collect-only: that nothing ran was asked for.
bool PytestRun::only_listed() const {
  return std::all_of(sessions_.begin(), sessions_.end(),
                     [](const auto& each) { return each->suite().hello.collectonly; });
}

// 2 to 4 and what else breaks a runner outweigh failed tests, these outweigh nothing at all (design, section 7).
void PytestRun::judge(RunFinished& finished) const {
  const auto& totals = finished.totals;
  const bool failing = totals.failed + totals.errors > 0;
  bool nothing = true;
  for (const auto& session : sessions_) {
    const auto& end = session->end();
    finished.reasons.insert(finished.reasons.end(), end.reasons.begin(), end.reasons.end());
    nothing = nothing && end.end == RunEnd::nothing_ran;
    const bool worse = end.end == RunEnd::interrupted || end.end == RunEnd::runner_failed;
    if (worse && finished.end != RunEnd::interrupted) {
      finished.end = end.end;
      finished.exit_code = end.code == 0 ? 70 : end.code;
    }
  }
  if (finished.end != RunEnd::ok) return;
  const bool said_failed =
      std::any_of(sessions_.begin(), sessions_.end(), [](const auto& each) { return each->end().code == 1; });
  if (failing || said_failed) {
    finished.end = RunEnd::tests_failed;
    finished.exit_code = 1;
    if (!failing)
      finished.reasons.emplace_back("pytest itself ended with exit code 1, though no test failed unexcused");
  } else if (nothing) {
    finished.end = RunEnd::nothing_ran;
    finished.exit_code = 5;
  } else if (totals.not_run > 0 && !only_listed()) {
    finished.end = RunEnd::runner_failed;
    finished.exit_code = 70;
    finished.reasons.push_back(std::to_string(totals.not_run) + " tests did not run");
  }
}

}  // namespace flakestat::adapters
