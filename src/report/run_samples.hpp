// A run with everything in it, for the tests of this layer: as events, and as what a recorder makes of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/run_record.hpp"
#include "report/samples.hpp"

namespace flakestat::report::samples {

using Events = std::vector<flakestat::RunEvent>;

inline RunTest run_test(const std::string& name, std::int64_t line, const std::string& file = "tests/test_api.py") {
  RunTest test;
  test.id = file + "::" + name;
  test.suite = "pytest";
  test.class_name = "tests.test_api";
  test.name = name;
  test.test_id = test_id(test.suite, test.class_name, test.name);
  test.file = file;
  test.line = line;
  return test;
}

inline RunAttempt passed(int number, const std::string& worker, double seconds = 0.25) {
  RunAttempt attempt;
  attempt.attempt = number;
  attempt.started = kDay1 + 1000 + number;
  attempt.seconds = seconds;
  attempt.worker = worker;
  return attempt;
}

inline RunAttempt ended(RunStatus status, int number, const std::string& worker, const std::string& message) {
  auto attempt = passed(number, worker, 0.5);
  attempt.status = status;
  attempt.in = RunPhase::call;
  attempt.message = message;
  return attempt;
}

inline RunAttempt failed(int number, const std::string& worker, const std::string& message) {
  auto attempt = ended(RunStatus::failed, number, worker, message);
  attempt.details = "    def test():\n>       call()\nE       " + message + "\n\ntests/test_api.py:7: Error";
  attempt.phases = {{RunPhase::call, RunStatus::failed, 0.5, message, attempt.details}};
  attempt.captured = {{"Captured stdout call", "hello \x1b[31mred\x1b[0m\n"}, {"Captured stderr call", "oops\n"}};
  return attempt;
}

inline RunAttempt failed_in_setup(int number, const std::string& worker) {
  auto attempt = ended(RunStatus::error, number, worker, "ValueError: no database");
  attempt.in = RunPhase::setup;
  attempt.details = "E   ValueError: no database";
  attempt.phases = {{RunPhase::setup, RunStatus::error, 0.1, attempt.message, attempt.details}};
  return attempt;
}

inline RunAttempt with_broken_teardown(RunAttempt attempt) {
  attempt.phases.push_back({RunPhase::teardown, RunStatus::error, 0.1, "KeyError: 'x'", "E   KeyError: 'x'"});
  return attempt;
}

inline RunAttempt in_trouble(RunTrouble trouble, int number, const std::string& worker, const std::string& message) {
  auto attempt = ended(RunStatus::error, number, worker, message);
  attempt.trouble = trouble;
  return attempt;
}

inline TestSettled settled(std::size_t test, RunFate fate, std::vector<RunAttempt> attempts) {
  return {test, fate, std::move(attempts), {}, "", ""};
}

/// The start, executions and settling of one test.
inline void add_test(Events& events, const TestSettled& settled) {
  for (std::size_t i = 0; i < settled.attempts.size(); ++i) {
    const auto& attempt = settled.attempts[i];
    events.emplace_back(TestStarted{settled.test, attempt.attempt, attempt.worker == "gw1" ? 1 : 0});
    events.emplace_back(AttemptFinished{settled.test, attempt, i + 1 < settled.attempts.size()});
  }
  events.emplace_back(settled);
}

inline RunStarted run_started() {
  RunStarted started;
  started.run_id = "20260609T101320-9f2ac1";
  started.command = {"pytest", "-q", "tests"};
  for (const auto* name : {"test_ok", "test_fails", "test_flaky[a b]", "test_known", "test_setup", "test_segfault",
                           "test_slow", "test_skip", "test_xfail", "test_xpass", "test_vanished", "test_never"}) {
    started.tests.push_back(run_test(name, static_cast<std::int64_t>(started.tests.size()) + 3));
  }
  started.deselected = 2;
  started.workers = 2;
  started.shuffle_seed = 42;
  started.started = kDay1;
  return started;
}

inline RunFinished run_finished() {
  RunFinished finished;
  finished.totals = {.passed = 1,
                     .failed = 1,
                     .errors = 5,
                     .skipped = 1,
                     .xfailed = 1,
                     .xpassed = 1,
                     .flaky = 1,
                     .quarantined = 1,
                     .deselected = 2,
                     .not_run = 1,
                     .reruns = 4,
                     .crashes = 1,
                     .warnings = 3};
  finished.end = RunEnd::tests_failed;
  finished.exit_code = 1;
  finished.seconds = 12.314;
  finished.reasons = {"1 test was not run: stopped after 5 failures"};
  return finished;
}

inline void add_settled_badly(Events& events) {
  auto hard = settled(
      1, RunFate::failed,
      {failed(0, "gw1", "AssertionError: first"), with_broken_teardown(failed(1, "gw1", "AssertionError: 1 == 2"))});
  hard.before = {2, 1};
  hard.note = "not rerun again: the budget of 1 rerun is spent";
  add_test(events, hard);
  auto known =
      settled(3, RunFate::quarantined, {failed(0, "gw1", "TimeoutError: 5s"), failed(1, "gw1", "TimeoutError: 5s")});
  known.before = {7, 2};
  known.excuse = "tests/test_api.py::test_known (owner @api, JIRA-12)";
  add_test(events, known);
  add_test(events, settled(4, RunFate::error, {failed_in_setup(0, "gw0")}));
  events.emplace_back(TestStarted{5, 0, 1});
  events.emplace_back(
      WorkerLost{1, "signal 11 (SIGSEGV)", 5, "Fatal Python error: Segmentation fault\n\x1b[2Jat y\n", true});
  add_test(events, settled(5, RunFate::error,
                           {in_trouble(RunTrouble::crashed, 0, "gw1", "worker gw1 died: signal 11 (SIGSEGV)")}));
  add_test(events, settled(6, RunFate::error, {in_trouble(RunTrouble::timed_out, 0, "gw0", "timed out after 30s")}));
  add_test(events, settled(10, RunFate::error, {in_trouble(RunTrouble::lost, 0, "gw1", "")}));
}

/// Every event and every fate.
inline Events run_events() {
  Events events{run_started(),
                CollectionProblem{"tests/test_broken.py", "ImportError while importing\nE   No module 'x'"},
                CollectionSkip{"tests/test_win.py", "Windows only"}, RunNote{"2 of 12 tests are known flaky"}};
  auto ok = passed(0, "gw0", 1.5);
  ok.properties = {{"ticket", "A-1"}, {"flakestat.exec_key", "forged"}};
  add_test(events, settled(0, RunFate::passed, {ok}));
  auto flaky = settled(2, RunFate::flaky, {failed(0, "gw0", "AssertionError: too slow"), passed(1, "gw0")});
  flaky.before = {7, 2};
  add_settled_badly(events);
  add_test(events, flaky);
  add_test(events, settled(7, RunFate::skipped, {ended(RunStatus::skipped, 0, "gw0", "needs <docker>")}));
  add_test(events, settled(8, RunFate::xfailed, {ended(RunStatus::xfailed, 0, "gw0", "bug 7")}));
  add_test(events, settled(9, RunFate::xpassed, {ended(RunStatus::xpassed, 0, "gw0", "")}));
  events.emplace_back(RunWarning{"tests/test_api.py::test_ok", "tests/test_api.py:22", "UserWarning: careful"});
  events.emplace_back(RunWarning{"tests/test_api.py::test_fails", "tests/test_api.py:22", "UserWarning: careful"});
  events.emplace_back(RunWarning{"", "conftest.py:1", "DeprecationWarning: old"});
  events.emplace_back(RunnerText{"---- coverage ----\nTOTAL  \x1b[32m98%\x1b[0m\n"});
  events.emplace_back(run_finished());
  return events;
}

/// Few tests, all green.
inline Events green_events() {
  RunStarted started = run_started();
  started.tests.resize(2);
  started.deselected = 0;
  started.workers = 0;
  started.shuffle_seed.reset();
  Events events{started};
  add_test(events, settled(0, RunFate::passed, {passed(0, "")}));
  add_test(events, settled(1, RunFate::passed, {passed(0, "")}));
  RunFinished finished;
  finished.totals.passed = 2;
  finished.seconds = 0.5;
  events.emplace_back(finished);
  return events;
}

/// One text in every place where a text can stand.
inline Events hostile_events_of_run(const std::string& text) {
  RunStarted started = run_started();
  started.run_id = text;
  started.command = {text};
  started.tests.resize(3);
  for (auto& test : started.tests) {
    test.id = test.suite = test.class_name = test.file = text;
    test.name += text;
    test.test_id = test_id(test.suite, test.class_name, test.name);
  }
  auto bad = failed(0, text, text);
  bad.details = text + "\n" + text;
  bad.captured = {{text, text}, {text + " stderr", text}};
  bad.properties = {{text, text}};
  bad.phases = {{RunPhase::call, RunStatus::failed, 0.1, text, bad.details},
                {RunPhase::teardown, RunStatus::error, 0.1, text, text}};
  Events events{started, CollectionProblem{text, text}, CollectionSkip{text, text}, RunNote{text}};
  auto flaky = settled(0, RunFate::flaky, {bad, passed(1, text)});
  flaky.note = text;
  auto known = settled(1, RunFate::quarantined, {bad});
  known.excuse = text;
  add_test(events, flaky);
  add_test(events, known);
  add_test(events, settled(2, RunFate::failed, {bad}));
  events.emplace_back(WorkerLost{0, text, 1, text, false});
  events.emplace_back(RunWarning{text, text, text});
  events.emplace_back(RunnerText{text});
  RunFinished finished;
  finished.totals = {.failed = 1, .flaky = 1, .quarantined = 1, .warnings = 1};
  finished.end = RunEnd::tests_failed;
  finished.exit_code = 1;
  finished.reasons = {text};
  events.emplace_back(finished);
  return events;
}

inline RunRecord record_of(const Events& events) {
  RunRecorder recorder;
  for (const auto& event : events) recorder.take(event);
  return recorder.record();
}

/// Text that a CI system or a stream's reader would obey.
inline std::vector<std::string> hostile_run_texts() {
  auto out = hostile_names();
  for (const auto* text : {"::error::pwned", "\n::set-output name=a::b\n", "##[error]x", "##teamcity[buildStop a='b']",
                           "not ok 1\nBail out!\n", "\x1b[0Ksection_start:1:x\r\x1b[0Kx", "...\n---\nx: y",
                           "ok # SKIP me", "]]></failure><testcase name='x'/>", "\"},{\"a\":1", "  \n  ::warning::x"}) {
    out.emplace_back(text);
  }
  return out;
}

}  // namespace flakestat::report::samples
