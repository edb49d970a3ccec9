#include "app/run_memory.hpp"

#include <algorithm>
#include <utility>

#include "app/ledger_age.hpp"

namespace flakestat::app {
namespace {

std::string without_folder(const std::string& id, const std::string& folder) {
  return folder.empty() || !id.starts_with(folder + "/") ? id : id.substr(folder.size() + 1);
}

bool belongs(const std::string& id, const std::string& folder) {
  return folder.empty() || id.starts_with(folder + "/");
}

}  // namespace

Result<RunMemory> RunMemory::open(const World& world, const std::string& dir) {
  RunMemory memory(world, dir);
  auto age = ledger_age(world);
  if (!age) return age.error();
  memory.age_ = *age;
  auto ledger = store::read_ledger(dir, memory.age_);
  if (!ledger) return ledger.error();
  memory.ledger_ = *std::move(ledger);
  for (const auto& note : memory.ledger_.notes()) world.warn("flakestat: " + note);
  auto durations = store::read_durations(dir);
  memory.durations_ = std::move(durations.tests);
  for (const auto& note : durations.notes) world.note("flakestat: " + note);
  return memory;
}

std::optional<double> RunMemory::seconds(const RunTest& test) const {
  const auto known = durations_.find(test.id);
  return known == durations_.end() ? std::nullopt : std::optional(known->second.seconds);
}

bool RunMemory::knows_flaky() const {
  const auto& tests = ledger_.tests();
  return std::any_of(tests.begin(), tests.end(), [](const auto& each) { return each.second.flaky > 0; });
}

double RunMemory::seconds_below(const std::string& prefix) const {
  double all = 0;
  for (auto at = durations_.lower_bound(prefix); at != durations_.end() && at->first.starts_with(prefix); ++at) {
    all += at->second.seconds;
  }
  return all;
}

void RunMemory::take(const RunEvent& event) {
  if (const auto* started = std::get_if<RunStarted>(&event)) tests_ = started->tests;
  else if (const auto* settled = std::get_if<TestSettled>(&event)) settle(*settled);
  else if (const auto* problem = std::get_if<CollectionProblem>(&event)) problems_.push_back(problem->id);
}

void RunMemory::settle(const TestSettled& event) {
  settled_.emplace_back(event.test, event.fate);
  for (const auto& attempt : event.attempts) {
    if (attempt.status == RunStatus::passed) passed_.emplace_back(event.test, attempt.seconds);
  }
  const bool flaky = event.fate == RunFate::flaky;
  const bool failed =
      event.fate == RunFate::failed || event.fate == RunFate::error || event.fate == RunFate::quarantined;
  if (!flaky && !failed) return;
  events_.push_back(
      {tests_[event.test].id, flaky ? LedgerEvent::Kind::flaky : LedgerEvent::Kind::failed, world_.now() / 1000});
}

Result<void> RunMemory::save_durations() const {
  std::vector<store::PassedExecution> passed;
  passed.reserve(passed_.size());
  for (const auto& [test, seconds] : passed_) passed.push_back({tests_[test].id, seconds});
  auto notes = store::merge_durations(dir_, passed, world_.now());
  if (!notes) return notes.error();
  for (const auto& note : *notes) world_.note("flakestat: " + note);
  return {};
}

Result<void> RunMemory::save(const std::string& run_id, bool each) {
  FLAKESTAT_TRY(save_durations());
  if (each || events_.empty()) return {};
  store::LedgerOptions options;
  options.age = age_;
  options.age.now = world_.now() / 1000;
  auto written = store::record_run(dir_, run_id, events_, options);
  if (!written) return written.error();
  for (const auto& note : written->notes) world_.warn("flakestat: " + note);
  return {};
}

Result<void> RunMemory::save_pytest_cache(const std::string& cachedir, const std::string& folder) const {
  if (cachedir.empty()) return {};
  store::LastFailedNews news;
  for (const auto& test : tests_) {
    if (belongs(test.id, folder)) news.collected.push_back(without_folder(test.id, folder));
  }
  for (const auto& [test, fate] : settled_) {
    if (belongs(tests_[test].id, folder)) news.settled.emplace_back(without_folder(tests_[test].id, folder), fate);
  }
  for (const auto& problem : problems_) {
    if (!problem.empty() && belongs(problem, folder)) news.problems.push_back(without_folder(problem, folder));
  }
  auto written = store::update_pytest_cache(cachedir, news);
  if (!written) return written.error();
  return {};
}

}  // namespace flakestat::app
