#include "app/run_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "base/clean_text.hpp"
#include "model/exec_key.hpp"
#include "report/run_record.hpp"

namespace flakestat::app {
namespace {

constexpr std::chrono::seconds kEvery{1};

}  // namespace

RunRecorder::RunRecorder(std::string dir, const Provenance& provenance, const sys::Clock& clock)
    : dir_(std::move(dir)), provenance_(provenance), clock_(clock) {}

void RunRecorder::take(const RunEvent& event) {
  if (const auto* started = std::get_if<RunStarted>(&event)) begin(*started);
  else if (const auto* settled = std::get_if<TestSettled>(&event)) settle(*settled);
  else if (const auto* problem = std::get_if<CollectionProblem>(&event))
    note(problem->id, Status::error, problem->details);
  else if (const auto* skip = std::get_if<CollectionSkip>(&event)) note(skip->id, Status::skip, skip->reason);
}

// A file that gave no tests, as the test that it is in reports.
void RunRecorder::note(const std::string& id, Status status, const std::string& message) {
  if (id.empty()) return;
  const auto test = report::collection_test(started_, id);
  auto seen = common();
  seen.ts = started_.started;
  name(seen, test);
  seen.status = status;
  seen.message = clean_line(message);
  seen.partial = partial_;
  seen.dimensions = dimensions_of("");
  seen.exec_key = run_exec_key(seen.run_id, 0, 0, seen.test_id);
  waiting_.push_back(std::move(seen));
}

void RunRecorder::begin(const RunStarted& event) {
  tests_ = event.tests;
  started_ = event;
  started_.tests.resize(std::min<std::size_t>(started_.tests.size(), 1));  // its suite is all that is asked for
  partial_ = event.partial;
  std::unordered_map<std::uint64_t, std::int32_t> seen;
  for (const auto& test : tests_) repetitions_.push_back(seen[static_cast<std::uint64_t>(test.test_id)]++);
}

SharedDimensions RunRecorder::dimensions_of(const std::string& worker) {
  for (const auto& [name, known] : dimensions_) {
    if (name == worker) return known;
  }
  auto all = provenance_.dimensions();
  if (!worker.empty()) all["ci.worker"] = worker;
  return dimensions_.emplace_back(worker, SharedDimensions(std::move(all))).second;
}

void RunRecorder::name(Observation& seen, const RunTest& test) {
  seen.test_id = test.test_id;
  seen.suite = clean_name(test.suite);
  seen.class_name = clean_name(test.class_name);
  seen.name = clean_name(test.name);
  seen.file = clean_name(test.file);
}

Observation RunRecorder::common() const {
  Observation seen;
  seen.run_id = provenance_.run_id;
  seen.commit = provenance_.code.commit;
  seen.code = provenance_.code.code;
  seen.branch = provenance_.code.branch;
  seen.source = Source::run;
  return seen;
}

Observation RunRecorder::observation(const TestSettled& event, const RunAttempt& attempt) {
  auto seen = common();
  seen.ts = attempt.started;
  seen.attempt = attempt.attempt;
  seen.repetition = repetitions_[event.test];
  name(seen, tests_[event.test]);
  seen.status = status_of(attempt.status);
  seen.duration_ms = std::llround(std::clamp(attempt.seconds, 0.0, 1e9) * 1000);
  if (!attempt.passing()) seen.message = clean_line(attempt.message.empty() ? attempt.details : attempt.message);
  seen.known_flaky = event.fate == RunFate::flaky && attempt.passing();
  seen.quarantined = event.fate == RunFate::quarantined && attempt.failing();
  seen.partial = partial_ || attempt.attempt > 0;
  seen.dimensions = dimensions_of(attempt.worker);
  seen.exec_key = run_exec_key(seen.run_id, seen.repetition, seen.attempt, seen.test_id);
  return seen;
}

void RunRecorder::settle(const TestSettled& event) {
  if (event.test >= tests_.size()) return;
  for (const auto& attempt : event.attempts) waiting_.push_back(observation(event, attempt));
  if (!appended_ || clock_.monotonic() - *appended_ > kEvery) append(false);
}

void RunRecorder::append(bool last) {
  if (failed_) return;
  store::AppendOptions options;
  options.keys_are_new = true;
  options.flush_later = !last && appended_.has_value();
  if (!waiting_.empty()) {
    auto appended = store::append(dir_, waiting_, options);
    waiting_.clear();
    appended_ = clock_.monotonic();
    if (!appended) {
      failed_ = appended.error();
      return;
    }
    stored_ += appended->stored;
    notes_.insert(notes_.end(), appended->notes.begin(), appended->notes.end());
  } else if (last && appended_) {
    if (auto flushed = store::flush(dir_); !flushed) failed_ = flushed.error();
  }
}

Result<void> RunRecorder::finish() {
  append(true);
  if (failed_) return *failed_;
  return {};
}

}  // namespace flakestat::app
