#include "adapters/reported_tests.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "adapters/stand_in.hpp"
#include "base/strings.hpp"
#include "formats/case_groups.hpp"
#include "formats/start_times.hpp"
#include "model/identity.hpp"

namespace flakestat::adapters {
namespace {

RunStatus status_of(Status status) {
  switch (status) {
    case Status::pass: return RunStatus::passed;
    case Status::fail: return RunStatus::failed;
    case Status::error: return RunStatus::error;
    case Status::skip: return RunStatus::skipped;
  }
  return RunStatus::error;
}

// Skipped, passed, failed, error: a larger one counts.
int badness(RunStatus status) {
  switch (status) {
    case RunStatus::error: return 3;
    case RunStatus::failed: return 2;
    case RunStatus::passed: return 1;
    default: return 0;
  }
}

RunAttempt failed_try(const Attempt& attempt, UnixMillis started) {
  RunAttempt made;
  made.status = status_of(attempt.status);
  made.started = started;
  made.message = attempt.message;
  return made;
}

RunAttempt last_try(const Case& each, UnixMillis started) {
  RunAttempt made;
  made.status = is_unbuilt(each) ? RunStatus::error : status_of(each.status);
  made.started = started;
  if (each.duration_ms && std::isfinite(*each.duration_ms)) made.seconds = std::max(0.0, *each.duration_ms) / 1000;
  made.message = each.message;
  return made;
}

// A case with the tries that its framework reported inside it.
std::vector<RunAttempt> tries_of(const Case& each, UnixMillis started) {
  std::vector<RunAttempt> tries;
  for (const auto& attempt : each.earlier) tries.push_back(failed_try(attempt, started));
  tries.push_back(last_try(each, started));
  for (const auto& attempt : each.later) tries.push_back(failed_try(attempt, started));
  return tries;
}

RunTest test_of(const Case& each, TestId id) {
  RunTest test;
  test.suite = each.suite;
  test.class_name = each.class_name;
  test.name = each.name;
  test.test_id = id;
  test.file = each.file;
  test.line = each.line;
  test.id = each.name.empty() ? each.class_name : display_name(each.suite, each.class_name, each.name);
  return test;
}

bool is_no_test(const Case& each) {
  return trim(each.name).empty() && trim(each.class_name).empty() && !is_failure(each.status);
}

std::vector<UnixMillis> starts_of(std::span<const Case> cases, const RunTimes& times) {
  std::vector<std::string> notes;
  return formats::start_times(
      cases, {times.stamped ? times.ended : times.started, times.ended, times.local_offset_minutes}, notes);
}

void merge(RunAttempt& into, RunAttempt&& other) {
  const auto seconds = into.seconds + other.seconds;
  if (badness(other.status) > badness(into.status)) into = std::move(other);
  into.seconds = seconds;
}

}  // namespace

bool ReportedTests::any_failing() const {
  return std::any_of(tests.begin(), tests.end(), [](const auto& each) { return each.failing(); });
}

ReportedTests reported_tests(std::span<const Case> cases, const RunTimes& times) {
  std::vector<TestId> ids;
  TestIdDigester digest;
  for (const auto& each : cases) ids.push_back(digest(each.suite, each.class_name, each.name));
  const auto places = formats::group_cases(cases, ids);
  const auto starts = starts_of(cases, times);
  ReportedTests found;
  std::unordered_map<TestId, std::size_t> known;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (is_no_test(cases[i])) continue;
    auto tries = tries_of(cases[i], starts[i]);
    const auto [slot, is_new] = known.try_emplace(ids[i], found.tests.size());
    if (is_new) {
      found.tests.push_back({test_of(cases[i], ids[i]), std::move(tries), is_stand_in(cases[i])});
      continue;
    }
    auto& test = found.tests[slot->second];
    test.stand_in = test.stand_in || is_stand_in(cases[i]);
    if (places[i].relation == formats::Relation::attempts) {
      std::move(tries.begin(), tries.end(), std::back_inserter(test.attempts));
    } else {
      if (places[i].ordinal == 1) ++found.several;
      merge(test.attempts.back(), std::move(tries.back()));
    }
  }
  return found;
}

}  // namespace flakestat::adapters
