#include "dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace flakestat::dispatch {
namespace {

std::string crash_message(const Loss& loss, const std::string& worker) {
  const auto phase = loss.in_flight->phase;
  const std::string where = phase == RunPhase::none ? "" : std::string(" during ") + word(phase);
  if (loss.trouble == RunTrouble::timed_out) return "timed out" + where + ": " + loss.how;
  return (worker.empty() ? "the process" : "worker " + worker) + " died" + where + ": " + loss.how;
}

}  // namespace

RunAttempt crashed_attempt(const Loss& loss, const std::string& worker) {
  RunAttempt attempt;
  attempt.attempt = loss.in_flight->attempt;
  attempt.status = RunStatus::error;
  attempt.trouble = loss.trouble;
  attempt.in = loss.in_flight->phase;
  attempt.started = loss.in_flight->started;
  attempt.seconds = loss.in_flight->seconds;
  attempt.worker = worker;
  attempt.message = crash_message(loss, worker);
  attempt.details = loss.output;
  return attempt;
}

bool awaits_answer(const RunAttempt& attempt) { return attempt.attempt > 0 || attempt.failing(); }

std::string worker_name(int worker) { return "gw" + std::to_string(worker); }

Dispatcher::Dispatcher(DispatchOptions options, std::vector<std::size_t> order, Lifecycle& lifecycle, Schedule schedule,
                       RunSink& sink)
    : options_(options), order_(std::move(order)), lifecycle_(lifecycle), schedule_(std::move(schedule)), sink_(sink) {
  for (std::size_t place = 0; place < order_.size(); ++place) places_.emplace(order_[place], place);
  for (int worker = 0; worker < options_.workers; ++worker) workers_.emplace_back().lane = worker;
}

int Dispatcher::lane_of(int worker) const { return workers_[static_cast<std::size_t>(worker)].lane; }

bool Dispatcher::may_steal(int worker, std::size_t test) const {
  return schedule_.may_steal(lane_of(worker), places_.at(test));
}

void Dispatcher::finish(int worker, std::size_t test) { schedule_.finished(lane_of(worker), places_.at(test)); }

Dispatcher::Orders Dispatcher::ready(int worker) {
  Orders orders;
  auto& slot = workers_[static_cast<std::size_t>(worker)];
  if (slot.phase != WorkerPhase::starting) return orders;
  slot.phase = WorkerPhase::working;
  feed_all(orders);
  conclude_if_done(orders);
  return orders;
}

Dispatcher::Orders Dispatcher::all_ready() {
  Orders orders;
  for (auto& slot : workers_) slot.phase = WorkerPhase::working;
  feed_all(orders);
  conclude_if_done(orders);
  return orders;
}

// How many tests may stand in a feed behind the running one: enough that a worker never waits for us, few enough that
// little has to be taken back.
std::size_t Dispatcher::ahead() const {
  constexpr double kWorthOfFeed = 0.05;  // seconds
  constexpr std::uint64_t kEnoughSeen = 4;
  if (seen_ < kEnoughSeen) return 2;
  const double mean = std::max(seconds_ / static_cast<double>(seen_), 1e-6);
  return std::clamp(static_cast<std::size_t>(kWorthOfFeed / mean), std::size_t{1}, options_.most_ahead);
}

bool Dispatcher::feed_one(int worker, Orders& orders) {
  auto& slot = workers_[static_cast<std::size_t>(worker)];
  std::optional<Fed> chosen;
  if (!retries_.empty()) {
    chosen = retries_.front();
    retries_.pop_front();
  } else if (const auto next = schedule_.next(lane_of(worker)); next.kind == Schedule::Next::Kind::run) {
    chosen = Fed{order_[next.test], 0};
  }
  if (!chosen) return false;
  slot.fed.push_back(*chosen);
  slot.end_sent = false;
  orders.emplace_back(Feed{worker, chosen->test, chosen->attempt});
  if (slot.fed.size() == 1) sink_.take(TestStarted{chosen->test, chosen->attempt, worker});
  return true;
}

bool Dispatcher::wants(int worker) const {
  const auto& slot = workers_[static_cast<std::size_t>(worker)];
  return slot.phase == WorkerPhase::working && !slot.taking_back && !stopping_ && slot.fed.size() < 1 + ahead();
}

void Dispatcher::feed(int worker, Orders& orders) {
  while (wants(worker)) {
    if (feed_one(worker, orders)) continue;
    auto& slot = workers_[static_cast<std::size_t>(worker)];
    if (!slot.fed.empty() && !std::exchange(slot.end_sent, true)) orders.emplace_back(EndOfFeed{worker});
    if (slot.fed.empty()) steal(worker, orders);
    return;
  }
}

// In turn, so that the first tests of the order are begun first.
void Dispatcher::feed_all(Orders& orders) {
  const int count = static_cast<int>(workers_.size());
  for (bool fed = true; std::exchange(fed, false);) {
    for (int worker = 0; worker < count; ++worker) fed = (wants(worker) && feed_one(worker, orders)) || fed;
  }
  for (int worker = 0; worker < count; ++worker) feed(worker, orders);
}

// From the worker with the longest feed; what it runs is its own.
void Dispatcher::steal(int thief, Orders& orders) {
  WorkerSlot* richest = nullptr;
  int victim = -1;
  for (std::size_t index = 0; index < workers_.size(); ++index) {
    auto& slot = workers_[index];
    const bool worth = slot.phase == WorkerPhase::working && !slot.barren && slot.fed.size() > 1 &&
                       may_steal(static_cast<int>(index), slot.fed.back().test);
    if (!worth || static_cast<int>(index) == thief) continue;
    if (slot.taking_back) return;  // its tests are on their way already
    if (richest == nullptr || slot.fed.size() > richest->fed.size()) {
      richest = &slot;
      victim = static_cast<int>(index);
    }
  }
  if (richest == nullptr) return;
  richest->taking_back = true;
  orders.emplace_back(TakeBack{victim});
}

Dispatcher::Orders Dispatcher::taken_back(int worker, const std::vector<std::size_t>& tests) {
  Orders orders;
  auto& slot = workers_[static_cast<std::size_t>(worker)];
  slot.taking_back = false;
  slot.end_sent = false;
  std::vector<Fed> back;
  for (const auto test : tests) {
    const auto at = std::find_if(slot.fed.begin(), slot.fed.end(), [&](const Fed& fed) { return fed.test == test; });
    if (at == slot.fed.end()) continue;
    back.push_back(*at);
    slot.fed.erase(at);
  }
  if (stopping_) {
    hand_back(worker, back);
    quit_idle(orders);
    return orders;
  }
  // The first half stays where it was; a single one goes.
  std::vector<Fed> stolen;
  for (std::size_t index = 0; index < back.size(); ++index) {
    const bool keeps = index < back.size() / 2 || !may_steal(worker, back[index].test);
    if (!keeps) {
      stolen.push_back(back[index]);
      continue;
    }
    slot.fed.push_back(back[index]);
    orders.emplace_back(Feed{worker, back[index].test, back[index].attempt});
  }
  hand_back(worker, stolen);
  feed_others_first(worker, orders);
  return orders;
}

// Those who wait get what was taken; the one who gave looks at what is left afterwards. When nobody could use it, it is
// not asked again before it has gone on.
void Dispatcher::feed_others_first(int worker, Orders& orders) {
  auto& giver = workers_[static_cast<std::size_t>(worker)];
  giver.barren = true;
  for (std::size_t other = 0; other < workers_.size(); ++other) {
    auto& slot = workers_[other];
    if (static_cast<int>(other) == worker || !slot.fed.empty()) continue;
    feed(static_cast<int>(other), orders);
    if (!slot.fed.empty()) giver.barren = false;
  }
  feed_all(orders);
}

void Dispatcher::hand_back(int worker, const std::vector<Fed>& tests) {
  std::vector<std::size_t> unbegun;
  for (const auto& fed : tests) {
    if (fed.attempt > 0) retry(worker, fed);
    else unbegun.push_back(places_.at(fed.test));
  }
  schedule_.give_back(lane_of(worker), unbegun);
}

// For the schedule a test that was begun is done with; whoever is free takes it.
void Dispatcher::retry(int worker, const Fed& fed) {
  finish(worker, fed.test);
  retries_.push_back(fed);
}

// Tells of an attempt; true when the test is to be run again.
bool Dispatcher::record(std::size_t test, RunAttempt attempt, Decision& decision) {
  AttemptFinished event{test, attempt, false};
  seconds_ += attempt.seconds;
  ++seen_;
  decision = lifecycle_.attempt_finished(test, std::move(attempt));
  event.rerun_follows = decision.rerun && !stopping_;
  sink_.take(std::move(event));
  if (!decision.note.empty()) sink_.take(RunNote{decision.note});
  if (decision.rerun && stopping_) {
    decision.rerun = false;
    decision.settled = lifecycle_.give_up(test);
  }
  return decision.rerun;
}

Dispatcher::Orders Dispatcher::attempt_done(int worker, std::size_t test, RunAttempt attempt) {
  Orders orders;
  auto& slot = workers_[static_cast<std::size_t>(worker)];
  const auto at = std::find_if(slot.fed.begin(), slot.fed.end(), [&](const Fed& fed) { return fed.test == test; });
  if (at == slot.fed.end() || at->attempt != attempt.attempt || lifecycle_.settled(test))
    return orders;  // never asked for
  const bool asks = awaits_answer(attempt);
  slot.barren = false;
  Decision decision;
  if (record(test, std::move(attempt), decision)) {
    ++at->attempt;
    sink_.take(TestStarted{test, at->attempt, worker});
    orders.emplace_back(Answer{worker, true, decision.delay_seconds, RunFate::failed, ""});
    return orders;
  }
  slot.fed.erase(at);
  finish(worker, test);
  const auto fate = decision.settled->fate;
  sink_.take(std::move(*decision.settled));
  const std::string stop = decision.stop && !stopping_ ? "the limit of failures was reached (--maxfail)" : "";
  if (asks) orders.emplace_back(Answer{worker, false, 0, fate, stop});
  if (!slot.fed.empty()) sink_.take(TestStarted{slot.fed.front().test, slot.fed.front().attempt, worker});
  if (!stop.empty()) begin_stop(stop, orders);
  feed(worker, orders);
  if (slot.fed.empty()) feed_all(orders);  // a test that had to wait for this one
  quit_idle(orders);
  conclude_if_done(orders);
  return orders;
}

void Dispatcher::charge(int worker, const Loss& loss) {
  auto& slot = workers_[static_cast<std::size_t>(worker)];
  if (!loss.in_flight) return;
  const auto& running = *loss.in_flight;
  const auto at = std::find_if(slot.fed.begin(), slot.fed.end(), [&](const Fed& fed) {
    return fed.test == running.test && fed.attempt == running.attempt;
  });
  if (at == slot.fed.end()) return;  // its result had come
  slot.fed.erase(at);
  Decision decision;
  if (record(running.test, crashed_attempt(loss, worker_name(worker)), decision)) {
    return retry(worker, Fed{running.test, running.attempt + 1});
  }
  finish(worker, running.test);
  const bool stop = decision.stop && !stopping_;
  sink_.take(std::move(*decision.settled));
  if (stop) crash_reached_limit_ = true;
}

Dispatcher::Orders Dispatcher::lost(int worker, Loss loss) {
  Orders orders;
  auto& slot = workers_[static_cast<std::size_t>(worker)];
  if (slot.phase == WorkerPhase::gone) return orders;
  slot.phase = WorkerPhase::gone;
  slot.taking_back = false;
  WorkerLost event{worker, loss.how, std::nullopt, loss.output, false};
  if (loss.in_flight) event.test = loss.in_flight->test;
  charge(worker, loss);
  const std::vector<Fed> left(slot.fed.begin(), slot.fed.end());
  slot.fed.clear();
  hand_back(worker, left);
  if (std::exchange(crash_reached_limit_, false)) begin_stop("the limit of failures was reached (--maxfail)", orders);
  event.replaced = replace(worker, orders);
  if (!loss.wanted) sink_.take(std::move(event));
  feed_all(orders);
  quit_idle(orders);
  conclude_if_done(orders);
  return orders;
}

bool Dispatcher::replace(int worker, Orders& orders) {
  if (stopping_ || all_done()) return false;
  const int lane = lane_of(worker);
  if (replacements_ < options_.most_replacements) {
    ++replacements_;
    orders.emplace_back(StartWorker{static_cast<int>(workers_.size())});
    workers_.emplace_back().lane = lane;
    return true;
  }
  // With --dist each these were for this worker alone: they stay without an attempt, which the end of the run tells.
  if (!schedule_.retire(lane).empty()) gave_up_ = true;
  if (live() == 0) {
    gave_up_ = true;
    begin_stop("too many workers died", orders);
  }
  return false;
}

Dispatcher::Orders Dispatcher::stop(std::string reason) {
  Orders orders;
  begin_stop(std::move(reason), orders);
  quit_idle(orders);
  conclude_if_done(orders);
  return orders;
}

void Dispatcher::begin_stop(std::string reason, Orders& orders) {
  if (std::exchange(stopping_, true)) return;
  stop_reason_ = std::move(reason);
  for (std::size_t index = 0; index < workers_.size(); ++index) {
    auto& slot = workers_[index];
    if (slot.phase != WorkerPhase::working || slot.fed.size() < 2 || slot.taking_back) continue;
    slot.taking_back = true;
    orders.emplace_back(TakeBack{static_cast<int>(index)});
  }
}

// While stopping: who has nothing to run, or has given back the rest, is told to end after that.
void Dispatcher::quit_idle(Orders& orders) {
  if (!stopping_) return;
  for (std::size_t index = 0; index < workers_.size(); ++index) {
    auto& slot = workers_[index];
    const bool starting = slot.phase == WorkerPhase::starting;
    if ((slot.phase != WorkerPhase::working && !starting) || slot.taking_back) continue;
    slot.phase = WorkerPhase::quitting;
    orders.emplace_back(Quit{static_cast<int>(index)});
  }
}

void Dispatcher::conclude_if_done(Orders& orders) {
  if (!stopping_ && !all_done()) return;
  if (stopping_) give_up_retries();
  if (stopping_) return;
  for (std::size_t index = 0; index < workers_.size(); ++index) {
    auto& slot = workers_[index];
    if (slot.phase != WorkerPhase::working && slot.phase != WorkerPhase::starting) continue;
    slot.phase = WorkerPhase::quitting;
    orders.emplace_back(Quit{static_cast<int>(index)});
  }
}

// A test whose worker died and that was to be run again will not be.
void Dispatcher::give_up_retries() {
  for (const auto& fed : std::exchange(retries_, {})) {
    if (lifecycle_.open(fed.test)) sink_.take(lifecycle_.give_up(fed.test));
  }
}

bool Dispatcher::all_done() const {
  return schedule_.done() && retries_.empty() &&
         std::all_of(workers_.begin(), workers_.end(), [](const auto& slot) { return slot.fed.empty(); });
}

bool Dispatcher::over() const {
  return std::all_of(workers_.begin(), workers_.end(), [](const auto& slot) {
    return slot.phase == WorkerPhase::quitting || slot.phase == WorkerPhase::gone;
  });
}

std::size_t Dispatcher::live() const {
  return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), [](const auto& slot) {
    return slot.phase == WorkerPhase::starting || slot.phase == WorkerPhase::working;
  }));
}

std::vector<std::size_t> Dispatcher::queue_of(int worker) const {
  std::vector<std::size_t> tests;
  for (const auto& fed : workers_[static_cast<std::size_t>(worker)].fed) tests.push_back(fed.test);
  return tests;
}

}  // namespace flakestat::dispatch
