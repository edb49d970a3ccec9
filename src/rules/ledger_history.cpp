#include "rules/ledger_history.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>

#include "model/runner_names.hpp"

namespace flakestat::rules {
namespace {

constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;
constexpr std::int64_t kMillis = 1000;

bool counts(const ObservationView& observation) {
  return observation.source == Source::run && !observation.run_id.empty() && !observation.sanitised;
}

// Equal digests of different runs or tests cost a little memory and no correctness: only what is taken decides.
std::uint64_t digest(std::string_view run_id) { return std::hash<std::string_view>{}(run_id); }
std::uint64_t digest(const ObservationView& observation) {
  return digest(observation.run_id) * kMix ^ static_cast<std::uint64_t>(observation.test_id);
}

bool is_failing(Status status) { return status == Status::fail || status == Status::error; }

}  // namespace

std::string ledger_key(const ObservationView& observation) {
  if (observation.file.ends_with(".py")) {
    auto name = pytest_name({observation.suite, observation.class_name, observation.name, observation.file});
    if (name.problem.empty()) return std::move(name.name);
  }
  return display_name(observation.suite, observation.class_name, observation.name);
}

void LedgerHistory::notice(const ObservationView& observation) {
  if (observation.source != Source::run || observation.run_id.empty()) return;
  seen_.insert(digest(observation.run_id));
  if (!counts(observation)) return;
  if (is_failing(observation.status) || observation.known_flaky) eventful_.insert(digest(observation));
}

void LedgerHistory::take(const ObservationView& observation) {
  if (!counts(observation) || !eventful_.contains(digest(observation))) return;
  const auto epoch = observation.has_ts ? std::max<std::int64_t>(observation.ts / kMillis, 0) : 0;
  auto& attempts = taken_[std::string(observation.run_id)][ledger_key(observation)];
  attempts[observation.repetition].push_back({observation.attempt, epoch, observation.status, observation.known_flaky});
}

void LedgerHistory::decide(const std::string& id, Attempts& by_repetition, std::vector<LedgerEvent>& events) {
  for (auto& [repetition, attempts] : by_repetition) {
    // A stable order for lines that a merged log holds twice.
    std::sort(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
      return std::tie(a.number, a.epoch, a.status) < std::tie(b.number, b.epoch, b.status);
    });
    const auto& last = attempts.back();
    const bool failed_before = std::any_of(attempts.begin(), attempts.end(), [&](const Attempt& attempt) {
      return attempt.number < last.number && is_failing(attempt.status);
    });
    if (is_failing(last.status)) events.push_back({id, LedgerEvent::Kind::failed, last.epoch});
    else if (last.status == Status::pass && (failed_before || last.known_flaky))
      events.push_back({id, LedgerEvent::Kind::flaky, last.epoch});
  }
}

LedgerRuns LedgerHistory::finish() {
  LedgerRuns runs;
  for (auto& [run, tests] : taken_) {
    LedgerTests entries;
    for (auto& [id, attempts] : tests) {
      std::vector<LedgerEvent> events;
      decide(id, attempts, events);
      for (const auto& event : events) flakestat::add(entries, event);
    }
    if (!entries.empty()) runs.emplace(run, std::move(entries));
  }
  taken_.clear();
  return runs;
}

}  // namespace flakestat::rules
