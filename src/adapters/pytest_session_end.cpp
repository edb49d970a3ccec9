// How a session's processes ended, and what that makes of the run.
#include "adapters/pytest_session.hpp"

#include <algorithm>
#include <utility>

#include "adapters/pytest_end.hpp"
#include "base/clean_text.hpp"

namespace flakestat::adapters {
namespace {

constexpr double kMillis = 1000;
constexpr int kMostRestarts = 4;

RunPhase phase_of(std::int32_t phase) {
  return phase >= 1 && phase <= 3 ? static_cast<RunPhase>(phase) : RunPhase::none;
}

}  // namespace

dispatch::Loss PytestSession::loss_of(std::size_t worker, const sys::WorkerEnd& end) const {
  const auto& slot = *slots_[worker];
  dispatch::Loss loss;
  loss.output = slot.worker.last_output();
  loss.how = end_text(end);
  if (!slot.worker.broken().empty()) loss.how = "it sent " + slot.worker.broken() + ", and was ended";
  if (!slot.stop_why.empty()) loss.how = "pytest ended: " + clean_line(slot.stop_why);
  if (slot.timed_out) {
    loss.trouble = RunTrouble::timed_out;
    loss.how = late_text(*shared_.worker_timeout);
  }
  const auto state = slot.worker.state();
  if (interrupted_ || state.test < 0 || static_cast<std::size_t>(state.test) >= count_) return loss;
  auto& running = loss.in_flight.emplace();
  running.test = global(worker, static_cast<std::size_t>(state.test));
  running.attempt = state.attempt;
  running.phase = phase_of(state.phase);
  running.started = static_cast<UnixMillis>(std::clamp(state.started, 0.0, 1e11) * kMillis);
  running.seconds = std::max(0.0, static_cast<double>(clock_.unix_millis() - running.started) / kMillis);
  return loss;
}

void PytestSession::finish_worker(std::size_t worker, const sys::WorkerEnd& end) {
  if (!dispatcher_ && !(is_single() && stage_ == Stage::running)) return finish_unbegun(worker, end);
  if (is_single()) return finish_single(end);
  auto& slot = *slots_[worker];
  const bool whole = slot.told_end && slot.bye && dispatcher_->queue_of(static_cast<int>(worker)).empty();
  const int code = slot.bye.value_or(end.code);
  const auto name = dispatch::worker_name(static_cast<int>(worker));
  if (whole) {
    // 0, 1 and 5 are about tests, which we have counted ourselves.
    if (code != 0 && code != 1 && code != 5) {
      fail(code, "worker " + name + " ended badly after its tests: " + code_text(code));
    } else if (const auto broken = broken_word(code, end); !broken.empty()) {
      fail(kRunnerBroke, "worker " + name + " died at its exit, after its tests: " + broken);
    }
    return dispatcher_->left(static_cast<int>(worker));
  }
  // What it did at the end of its session (reports that plugins write, services that fixtures stop) was cut off.
  if (slot.told_end && !slot.bye)
    fail(kRunnerBroke, "worker " + name + " died at the end of its session: " + end_text(end));
  const bool meant = slot.bye && !slot.stop_why.empty();
  // Nothing broke when it did what we wanted: on Ctrl-C, or when its failure reached the limit.
  const bool wanted = interrupted_ || (meant && slot.stop_kind == "shouldfail" && dispatcher_->stopping());
  if (meant && !wanted) fail(code, "pytest ended early: " + clean_line(slot.stop_why));
  auto loss = loss_of(worker, end);
  loss.wanted = wanted;
  carry_out(dispatcher_->lost(static_cast<int>(worker), loss));
  if (meant) carry_out(dispatcher_->stop("pytest ended early: " + clean_line(slot.stop_why)));
}

// One that was killed while it collected has cost nothing yet. A collection that kills is met again, and ends the run.
bool PytestSession::begin_anew(std::size_t worker, const sys::WorkerEnd& end) {
  if (is_single() || !end.signalled || slots_[worker]->bye || restarts_ >= kMostRestarts) return false;
  auto started = PytestWorker::start(start_of(static_cast<int>(worker)));
  if (!started) return false;
  ++restarts_;
  if (worker == 0) collection_events_.clear();
  slots_[worker] = std::make_unique<Slot>(*std::move(started));
  return true;
}

// Before any test was given out: the configuration, the collection, or a process that could not even begin.
void PytestSession::finish_unbegun(std::size_t worker, const sys::WorkerEnd& end) {
  if (failed_) return;
  if (slots_[worker]->collected && !is_single()) {
    slots_[worker]->early_end = end;
    return;
  }
  if (begin_anew(worker, end)) return;
  const auto& slot = *slots_[worker];
  const int code = slot.bye.value_or(death_code(end));
  if (const auto broken = slot.bye ? broken_word(code, end) : std::string(); !broken.empty()) {
    return fail(death_code(end), "pytest died at its exit: " + broken);
  }
  if (slot.bye && code == 5) {
    end_ = {RunEnd::nothing_ran, 5, {}};
    failed_ = true;
    return;
  }
  std::string reason;
  if (slot.bye && !slot.stop_why.empty()) reason = clean_line(slot.stop_why);
  else if (slot.bye && code != 0) reason = code_text(code);
  else reason = "pytest ended before it had collected anything: " + end_text(end);
  // With one process pytest has said everything itself.
  if (!is_single() && collection_events_.empty()) {
    const auto output = slot.worker.last_output();
    if (!output.empty()) collection_events_.emplace_back(CollectionProblem{"", output});
  }
  if (is_single() && slot.bye && code == 0 && slot.stop_why.empty()) {
    end_ = {RunEnd::ok, 0, {}};  // --help, --markers, --collect-only
    failed_ = true;
    return;
  }
  fail(code, reason);
}

// The one process died: there is nobody to run the test again.
void PytestSession::charge_single(std::size_t test, const dispatch::Loss& loss) {
  auto attempt = dispatch::crashed_attempt(loss, "");
  sink_->take(AttemptFinished{test, attempt, false});
  auto decision = lifecycle_->attempt_finished(test, std::move(attempt));
  sink_->take(decision.settled ? std::move(*decision.settled) : lifecycle_->give_up(test));
}

void PytestSession::finish_single(const sys::WorkerEnd& end) {
  const auto& slot = *slots_.front();
  const auto state = slot.worker.state();
  const auto running = task_.base + static_cast<std::size_t>(std::max<std::int64_t>(state.test, 0));
  const bool in_test = state.test >= 0 && static_cast<std::size_t>(state.test) < count_ && !slot.bye;
  if (in_test && !interrupted_ && !lifecycle_->settled(running) &&
      lifecycle_->attempts(running) == static_cast<std::size_t>(state.attempt)) {
    charge_single(running, loss_of(0, end));
  }
  if (!slot.bye && slot.timed_out) return fail(kRunnerBroke, "pytest was ended: " + late_text(*shared_.worker_timeout));
  if (!slot.bye) return fail(death_code(end), "pytest died before it had finished: " + end_text(end));
  const int code = *slot.bye;
  if (const auto broken = broken_word(code, end); !broken.empty()) {
    return fail(death_code(end), "pytest died at its exit, after its tests: " + broken);
  }
  if (code == 2 || code == 3 || code == 4) {
    const auto why = slot.stop_why.empty() ? code_text(code) : clean_line(slot.stop_why);
    return fail(code, why);
  }
  if (code > 5) return fail(code, code_text(code));
  end_.code = code;
}

void PytestSession::fail(int code, std::string reason) {
  if (std::exchange(failed_, true)) return;
  end_.end = RunEnd::runner_failed;
  end_.code = failing_code(code);
  end_.reasons.push_back(std::move(reason));
  if (dispatcher_ && dispatcher_->over()) return;  // other projects may go on
  if (dispatcher_) return carry_out(dispatcher_->stop("the run broke"));
  for (auto& slot : slots_) {
    if (!slot->gone) slot->worker.say(R"({"c":"quit"})");
    slot->told_end = true;
  }
}
void PytestSession::conclude() {
  stage_ = Stage::ended;
  if (interrupted_) {
    end_ = {RunEnd::interrupted, 2, {"interrupted"}};
  } else if (!failed_ && dispatcher_ && dispatcher_->gave_up()) {
    end_ = {RunEnd::runner_failed, kRunnerBroke, {"too many workers died: what was left did not run"}};
  } else if (!failed_ && count_ == 0) {
    end_ = {RunEnd::nothing_ran, 5, {}};
  }
}

}  // namespace flakestat::adapters
