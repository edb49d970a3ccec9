#include "adapters/pytest_session.hpp"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <unordered_set>

#include "adapters/pytest_end.hpp"
#include "base/clean_text.hpp"
#include "text/json_writer.hpp"

namespace flakestat::adapters {
namespace {

constexpr int kUsualReplacements = 4;
constexpr std::size_t kNamedDifferences = 5;
constexpr double kMillis = 1000;

}  // namespace

PytestSession::PytestSession(PytestProject project, const PytestShared& shared, const sys::Clock& clock)
    : project_(std::move(project)), shared_(shared), clock_(clock) {
  suite_.folder = project_.folder;
}

PytestStart PytestSession::start_of(int worker) const {
  PytestStart start;
  start.mode = is_single() ? PytestMode::single : PytestMode::worker;
  start.command = project_.command;
  start.directory = project_.directory;
  start.environment = shared_.environment;
  start.worker = worker;
  start.workers = project_.workers;
  start.leader = worker == 0;
  start.testrun_uid = shared_.run_id;
  start.basetemp = project_.basetemp;
  start.randomly_seed = shared_.seed;
  start.reports = controller_ != nullptr;
  start.adopts_workers = project_.adopts_workers;
  if (controller_) start.workerinput = controller_->input_of(dispatch::worker_name(worker));
  return start;
}

Result<void> PytestSession::add_worker(int worker) {
  auto started = PytestWorker::start(start_of(worker));
  if (!started) return started.error().with("start pytest");
  slots_.push_back(std::make_unique<Slot>(*std::move(started)));
  return {};
}

Result<void> PytestSession::start() {
  for (int worker = 0; worker < std::max(project_.workers, 1); ++worker) FLAKESTAT_TRY(add_worker(worker));
  return {};
}

// A plugin wants a controlling process, whose word the workers must have before they begin: they begin anew.
void PytestSession::restart_with_controller() {
  slots_.clear();
  auto started = PytestController::start(start_of(0));
  if (!started) return fail(kRunnerBroke, started.error().message);
  controller_ = std::make_unique<PytestController>(*std::move(started));
}

void PytestSession::start_controlled_workers() {
  controlled_workers_ = true;
  for (int worker = 0; worker < project_.workers; ++worker) {
    if (auto added = add_worker(worker); !added) return fail(kRunnerBroke, added.error().message);
  }
}

void PytestSession::tell_controller_of_end(std::size_t worker, const sys::WorkerEnd& end) {
  if (!controller_) return;
  const auto& slot = *slots_[worker];
  const auto name = dispatch::worker_name(static_cast<int>(worker));
  controller_->tell_end(name, slot.output, slot.bye ? "" : end_text(end));
}

// Everybody has ended: the controller puts together what there is.
void PytestSession::finish_controller() {
  if (!controller_->finishing()) {
    const bool failing = lifecycle_ != nullptr && lifecycle_->totals().failed + lifecycle_->totals().errors > 0;
    controller_->finish(failing ? 1 : 0);
  }
  if (!controller_->ended()) return;
  RunnerText text{controller_->summary()};
  if (text.text.find_first_not_of(" \n") != std::string::npos && sink_ != nullptr) sink_->take(std::move(text));
  const auto code = controller_->code();
  if (const auto broken = code ? controller_->broken_word() : std::string(); !broken.empty()) {
    fail(kRunnerBroke, "pytest's controlling process died at its exit: " + broken);
  } else if (!code || *code == 2 || *code == 3 || *code == 4) {
    fail(code.value_or(kRunnerBroke),
         "pytest's controlling process ended badly: " + clean_line(controller_->last_output()));
  } else if (*code == 1) {
    end_.code = 1;
  }
  conclude();
}

void PytestSession::add_polls(std::vector<pollfd>& polls) const {
  if (controller_) controller_->add_polls(polls);
  for (const auto& slot : slots_) {
    if (!slot->gone) slot->worker.add_polls(polls);
  }
}

int PytestSession::patience() const {
  constexpr int kLook = 250;
  return shared_.worker_timeout && stage_ == Stage::running ? kLook : -1;
}

void PytestSession::step() {
  for (std::size_t worker = 0; worker < slots_.size() && stage_ != Stage::ended && !wants_controller_; ++worker) {
    if (!slots_[worker]->gone) step_worker(worker);
  }
  if (std::exchange(wants_controller_, false)) restart_with_controller();
  if (controller_) controller_->step();
  if (stage_ == Stage::ended) return;
  if (controller_ && !controlled_workers_ && !failed_) {
    if (controller_->ready()) start_controlled_workers();
    return;
  }
  if (!all_gone()) return;
  if (controller_) finish_controller();
  else conclude();
}

void PytestSession::step_worker(std::size_t worker) {
  auto& slot = *slots_[worker];
  // The end first, the messages afterwards: then none can have come in between.
  const auto end = slot.worker.process().reap();
  do {
    auto messages = slot.worker.receive();
    if (messages.empty()) break;
    for (auto& message : messages) {
      take(worker, std::move(message));
      if (stage_ == Stage::ended || wants_controller_) return;
    }
  } while (end);
  if (!slot.worker.broken().empty() && !end) slot.worker.process().kill();
  if (end) {
    slot.gone = true;
    tell_controller_of_end(worker, *end);
    finish_worker(worker, *end);
  } else if (shared_.worker_timeout && stage_ == Stage::running) {
    watch_time(worker);
  }
}

void PytestSession::watch_time(std::size_t worker) {
  auto& slot = *slots_[worker];
  const auto state = slot.worker.state();
  if (state.test < 0 || slot.timed_out) return;
  const double ran = static_cast<double>(clock_.unix_millis()) - state.started * kMillis;
  if (ran < static_cast<double>(shared_.worker_timeout->count())) return;
  slot.timed_out = true;
  slot.worker.process().kill();
}

void PytestSession::take(std::size_t worker, PytestMessage message) {
  auto& slot = *slots_[worker];
  if (auto* hello = std::get_if<PytestHello>(&message)) {
    if (worker == 0) suite_.hello = std::move(*hello);
    else if (!hello->single.empty()) suite_.hello.single = hello->single;
    if (!is_single() && !suite_.hello.single.empty()) {
      needs_one_process_ = suite_.hello.single.front();
      for (auto& each : slots_) each->worker.process().kill();
      stage_ = Stage::ended;
    } else if (is_single() && project_.adopts_workers && suite_.hello.wants_workers() && suite_.hello.single.empty()) {
      wants_workers_ = suite_.hello.numprocesses;
      stage_ = Stage::ended;
    } else if (!is_single() && worker == 0 && !controller_ && !suite_.hello.controller.empty()) {
      wants_controller_ = true;
    }
  } else if (auto* collected = std::get_if<PytestCollected>(&message)) {
    take_collected(worker, *collected);
  } else if (auto* done = std::get_if<PytestDone>(&message)) {
    if (is_single()) take_single_done(std::move(*done));
    else take_done(worker, std::move(*done));
  } else if (auto* stop = std::get_if<PytestStop>(&message)) {
    slot.stop_kind = stop->kind;
    slot.stop_why = stop->why;
  } else if (auto* bye = std::get_if<PytestBye>(&message)) {
    slot.bye = bye->code;
    slot.output = std::move(bye->output);
  } else if (const auto* report = std::get_if<PytestReport>(&message)) {
    if (controller_) controller_->tell_report(dispatch::worker_name(static_cast<int>(worker)), report->data);
  } else if (auto* problem = std::get_if<CollectionProblem>(&message)) {
    if (worker == 0) collection_events_.emplace_back(std::move(*problem));
  } else if (auto* skip = std::get_if<CollectionSkip>(&message)) {
    if (worker == 0) collection_events_.emplace_back(std::move(*skip));
  } else if (auto* warning = std::get_if<RunWarning>(&message)) {
    if (sink_ != nullptr || worker == 0) ++warnings_;
    if (sink_ != nullptr) sink_->take(std::move(*warning));
    else if (worker == 0) collection_events_.emplace_back(std::move(*warning));
  }
}

void PytestSession::take_identities(const PytestCollected& collected) {
  const PytestNaming naming{suite_.hello.junit_suite_name, suite_.hello.junit_prefix, project_.folder};
  identities_ = true;
  suite_.tests.reserve(collected.ids.size());
  for (std::size_t i = 0; i < collected.ids.size(); ++i) {
    const auto& file = i < collected.files.size() ? collected.files[i] : std::string();
    auto test = pytest_test(collected.ids[i], file, naming);
    if (i < collected.lines.size()) test.line = collected.lines[i];
    suite_.tests.push_back(std::move(test));
  }
  suite_.marks.resize(suite_.tests.size());
  for (const auto& [index, marks] : collected.marks) {
    if (index < suite_.marks.size()) suite_.marks[index] = marks;
  }
  suite_.deselected = collected.deselected;
}

void PytestSession::take_collected(std::size_t worker, const PytestCollected& collected) {
  auto& slot = *slots_[worker];
  if (slot.asked) return name_difference(worker, collected);
  slot.collected = true;
  slot.count = collected.count;
  slot.hash = collected.hash;
  if (worker == 0 && !identities_) {
    if (collected.ids.size() != collected.count) return fail(kRunnerBroke, "pytest did not say what it collected");
    count_ = collected.count;
    hash_ = collected.hash;
    take_identities(collected);
  }
  if (!dispatcher_) return check_all_collected();
  if (differs(slot)) return;  // a replacement
  slot.worker.say(R"({"c":"go"})");
  carry_out(dispatcher_->ready(static_cast<int>(worker)));
}

// One that collected something else is asked for the names.
bool PytestSession::differs(Slot& slot) {
  if (!slot.collected || (slot.hash == hash_ && slot.count == count_)) return false;
  if (!std::exchange(slot.asked, true)) slot.worker.say(R"({"c":"ids"})");
  return true;
}

void PytestSession::check_all_collected() {
  if (!identities_ || failed_ || stage_ != Stage::collecting) return;
  for (auto& slot : slots_) {
    if (differs(*slot)) return;
  }
  if (!std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->collected; })) return;
  if (shared_.each) repeat_for_each();
  stage_ = Stage::collected;
}

void PytestSession::repeat_for_each() {
  const auto tests = suite_.tests;
  const auto marks = suite_.marks;
  for (std::size_t copy = 1; copy < slots_.size(); ++copy) {
    suite_.tests.insert(suite_.tests.end(), tests.begin(), tests.end());
    suite_.marks.insert(suite_.marks.end(), marks.begin(), marks.end());
  }
}

void PytestSession::name_difference(std::size_t worker, const PytestCollected& collected) {
  const auto prefix = project_.folder.empty() ? std::string() : project_.folder + "/";
  std::unordered_set<std::string> theirs;
  for (const auto& id : collected.ids) theirs.insert(prefix + id);
  std::vector<std::string> differing;
  for (std::size_t i = 0; i < count_; ++i) {
    if (theirs.erase(suite_.tests[i].id) == 0) differing.push_back(suite_.tests[i].id + " (only in gw0)");
  }
  const auto name = dispatch::worker_name(static_cast<int>(worker));
  for (const auto& id : collected.ids) {
    if (theirs.contains(prefix + id)) differing.push_back(prefix + id + " (only in " + name + ")");
  }
  std::string text = "the workers collected different tests";
  if (differing.empty()) text += ", or the same in another order: is their order random, or taken from a set?";
  for (std::size_t i = 0; i < std::min(differing.size(), kNamedDifferences); ++i) {
    text += (i == 0 ? ": " : ", ") + clean_name(differing[i]);
  }
  if (differing.size() > kNamedDifferences) {
    text += " and " + std::to_string(differing.size() - kNamedDifferences) + " more";
  }
  fail(kRunnerBroke, text + "; names must not depend on time, chance or memory addresses, or use -n 0");
}

std::size_t PytestSession::global(std::size_t worker, std::size_t index) const {
  const auto lane =
      shared_.each && dispatcher_ ? static_cast<std::size_t>(dispatcher_->lane_of(static_cast<int>(worker))) : 0;
  return task_.base + lane * count_ + index;
}

void PytestSession::begin(const PytestTask& task, dispatch::Lifecycle& lifecycle, RunSink& sink) {
  task_ = task;
  lifecycle_ = &lifecycle;
  sink_ = &sink;
  stage_ = Stage::running;
  if (is_single()) {
    text::JsonWriter json(text::JsonStyle::compact);
    json.begin_object().field("c", "order").key("order").begin_array();
    for (const auto index : task_.order) json.value(index);
    json.end_array().end_object();
    return slots_.front()->worker.say(json.take());
  }
  std::vector<std::size_t> order;
  for (const auto index : task_.order) order.push_back(task_.base + index);
  const int workers = project_.workers;
  dispatcher_ = std::make_unique<dispatch::Dispatcher>(
      dispatch::DispatchOptions{workers, 32, std::max(workers, kUsualReplacements)}, std::move(order), lifecycle,
      dispatch::Schedule(task_.scheduled, task_.dist, workers, task_.start), sink);
  for (auto& slot : slots_) slot->worker.say(R"({"c":"go"})");
  if (controller_) controller_->tell_collected(count_);
  carry_out(dispatcher_->all_ready());
  for (int worker = 0; worker < workers; ++worker) {
    const auto index = static_cast<std::size_t>(worker);
    if (const auto early = slots_[index]->early_end) carry_out(dispatcher_->lost(worker, loss_of(index, *early)));
  }
}

void PytestSession::take_done(std::size_t worker, PytestDone done) {
  if (!dispatcher_ || done.index >= count_) return;
  done.attempt.worker = dispatch::worker_name(static_cast<int>(worker));
  carry_out(dispatcher_->attempt_done(static_cast<int>(worker), global(worker, done.index), std::move(done.attempt)));
}

// pytest's own loop decides what comes next; we decide about reruns.
void PytestSession::take_single_done(PytestDone done) {
  const auto test = task_.base + done.index;
  if (lifecycle_ == nullptr || done.index >= count_ || lifecycle_->settled(test)) return;
  const bool asks = dispatch::awaits_answer(done.attempt);
  AttemptFinished event{test, done.attempt, false};
  auto decision = lifecycle_->attempt_finished(test, std::move(done.attempt));
  event.rerun_follows = decision.rerun;
  sink_->take(std::move(event));
  if (!decision.note.empty()) sink_->take(RunNote{decision.note});
  auto fate = RunFate::failed;
  if (decision.settled) {
    fate = decision.settled->fate;
    sink_->take(std::move(*decision.settled));
  }
  if (!asks) return;
  const std::string stop = decision.stop ? "the limit of failures was reached (--maxfail)" : "";
  answer({0, decision.rerun, decision.delay_seconds, fate, stop});
}

void PytestSession::answer(const dispatch::Answer& answer) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("c", "verdict").field("rerun", answer.rerun);
  if (answer.rerun) json.field("delay", answer.delay_seconds);
  else json.field("fate", word(answer.fate)).field("stop", answer.stop);
  slots_[static_cast<std::size_t>(answer.worker)]->worker.say(json.end_object().take());
}

// In the order in which they were decided: what carrying one out brings comes after the others.
void PytestSession::carry_out(const dispatch::Dispatcher::Orders& orders) {
  orders_.insert(orders_.end(), orders.begin(), orders.end());
  if (std::exchange(carrying_out_, true)) return;
  while (!orders_.empty()) {
    const auto order = orders_.front();
    orders_.pop_front();
    carry_out(order);
  }
  carrying_out_ = false;
}

void PytestSession::carry_out(const dispatch::Order& order) {
  const auto worker_of = [&](int worker) -> PytestWorker& { return slots_[static_cast<std::size_t>(worker)]->worker; };
  if (const auto* feed = std::get_if<dispatch::Feed>(&order)) {
    const auto index = (feed->test - task_.base) % count_;
    worker_of(feed->worker).feed("T " + std::to_string(index) + " " + std::to_string(feed->attempt));
  } else if (const auto* none = std::get_if<dispatch::EndOfFeed>(&order)) {
    worker_of(none->worker).feed("E");
  } else if (const auto* given = std::get_if<dispatch::Answer>(&order)) {
    answer(*given);
  } else if (const auto* quit = std::get_if<dispatch::Quit>(&order)) {
    auto& slot = *slots_[static_cast<std::size_t>(quit->worker)];
    slot.told_end = true;
    if (slot.collected) slot.worker.feed("Q");
    else slot.worker.say(R"({"c":"quit"})");
  } else if (const auto* back = std::get_if<dispatch::TakeBack>(&order)) {
    give_back(back->worker);
  } else if (const auto* start = std::get_if<dispatch::StartWorker>(&order)) {
    if (auto added = add_worker(start->worker); !added) fail(kRunnerBroke, added.error().message);
  }
}

void PytestSession::give_back(int worker) {
  std::vector<std::size_t> tests;
  for (const auto& packet : slots_[static_cast<std::size_t>(worker)]->worker.take_back()) {
    if (packet.size() < 3 || packet.front() != 'T') continue;
    tests.push_back(global(static_cast<std::size_t>(worker), std::strtoull(packet.c_str() + 2, nullptr, 10)));
  }
  carry_out(dispatcher_->taken_back(worker, tests));
}

bool PytestSession::all_gone() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->gone; });
}

void PytestSession::interrupt(bool now) {
  interrupted_ = true;
  if (now && controller_) controller_->kill();
  if (dispatcher_) carry_out(dispatcher_->stop("interrupted"));
  for (auto& slot : slots_) {
    if (slot->gone) continue;
    if (now) slot->worker.process().kill();
    else if (!is_single()) slot->worker.process().signal(SIGINT);
  }
}

void PytestSession::pass_interrupt_on() {
  if (!is_single() || slots_.front()->gone || !slots_.front()->stop_why.empty()) return;
  slots_.front()->worker.process().signal(SIGINT);
}

void PytestSession::stop(const std::string& reason) {
  if (dispatcher_ && !dispatcher_->stopping()) carry_out(dispatcher_->stop(reason));
}

}  // namespace flakestat::adapters
