#include "report/run_junit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "base/clean_text.hpp"
#include "formats/junit_test_support.hpp"
#include "formats/observations.hpp"
#include "model/exec_key.hpp"
#include "report/run_samples.hpp"
#include "testing/golden.hpp"
#include "testing/temp_dir.hpp"
#include "text/nasty_text.hpp"

namespace flakestat::report {
namespace {

using formats::testing::read_report;
using ::testing::HasSubstr;
using ::testing::Not;

std::string junit_of(const samples::Events& events) { return run_junit(samples::record_of(events)); }

std::map<std::string, Case> cases_of(const samples::Events& events) {
  std::map<std::string, Case> out;
  auto reading = read_report(junit_of(events));
  EXPECT_EQ(reading.error, "");
  EXPECT_TRUE(reading.summary.notes.empty()) << reading.summary.notes.front();
  for (auto& one : reading.cases) out[one.name] = one;
  return out;
}

TEST(RunJunit, EveryFate) { EXPECT_GOLDEN("run/junit.xml", junit_of(samples::run_events())); }

TEST(RunJunit, ReadBackEachTestIsWhatItWas) {
  auto cases = cases_of(samples::run_events());
  EXPECT_EQ(cases.size(), 14U);
  EXPECT_EQ(cases["test_ok"].status, Status::pass);
  EXPECT_FALSE(cases["test_ok"].known_flaky);
  EXPECT_EQ(cases["test_fails"].status, Status::fail);
  EXPECT_EQ(cases["test_fails"].message, "AssertionError: first");
  ASSERT_EQ(cases["test_fails"].later.size(), 1U);
  EXPECT_EQ(cases["test_fails"].later[0].message, "AssertionError: 1 == 2");
  EXPECT_TRUE(cases["test_flaky[a b]"].known_flaky);
  EXPECT_EQ(cases["test_flaky[a b]"].earlier.at(0).message, "AssertionError: too slow");
  EXPECT_EQ(cases["test_setup"].status, Status::error);
  EXPECT_EQ(cases["test_segfault"].message, "crashed: worker gw1 died: signal 11 (SIGSEGV)");
  EXPECT_EQ(cases["test_slow"].message, "timed out after 30s");
  EXPECT_EQ(cases["test_vanished"].message, "no result");
  EXPECT_EQ(cases["test_skip"].message, "needs <docker>");
  EXPECT_EQ(cases["test_xfail"].status, Status::skip);
  EXPECT_EQ(cases["test_xpass"].status, Status::pass);
  EXPECT_TRUE(cases["test_never"].not_run);
  EXPECT_EQ(cases["tests.test_broken"].status, Status::error);
}

TEST(RunJunit, AQuarantinedFailureIsNoFailureForOthersButReadsBackAsOne) {
  const auto xml = junit_of(samples::run_events());
  const auto begin = xml.find("name=\"test_known\"");
  const auto element = xml.substr(begin, xml.find("</testcase>", begin) - begin);
  EXPECT_THAT(element, Not(HasSubstr("<failure")));
  EXPECT_THAT(element, HasSubstr("<property name=\"quarantined\" value=\"true\"/>"));
  EXPECT_THAT(element, HasSubstr("TimeoutError: 5s"));
  auto known = cases_of(samples::run_events())["test_known"];
  EXPECT_EQ(known.status, Status::fail);
  EXPECT_TRUE(known.quarantined);
  EXPECT_EQ(known.later.size(), 1U);
  EXPECT_THAT(xml, HasSubstr("failures=\"1\" errors=\"5\""));
}

formats::ReportObservations observations_of(const samples::Events& events) {
  auto reading = read_report(junit_of(events));
  formats::ReportContext context;
  context.run_id = "of the ingest";
  return formats::to_observations(std::move(reading.cases), reading.summary, context);
}

// What the run itself stores: a key for each execution of a test, and for what could not be collected.
std::multiset<std::string> keys_of(const RunRecord& record) {
  std::multiset<std::string> keys;
  for (const auto index : record.order) {
    for (const auto& attempt : record.settled[index]->attempts) {
      keys.insert(run_exec_key(record.started.run_id, 0, attempt.attempt, record.test(index).test_id));
    }
  }
  for (const auto& problem : record.problems) {
    keys.insert(run_exec_key(record.started.run_id, 0, 0, collection_test(record.started, problem.id).test_id));
  }
  return keys;
}

TEST(RunJunit, EveryExecutionHasTheKeyThatTheRunGaveIt) {
  const auto events = samples::run_events();
  std::multiset<std::string> read;
  for (const auto& o : observations_of(events).observations) {
    read.insert(o.exec_key);
    EXPECT_EQ(o.run_id, "20260609T101320-9f2ac1");
    EXPECT_EQ(o.quarantined, o.name == "test_known");
  }
  EXPECT_EQ(read, keys_of(samples::record_of(events)));
}

TEST(RunJunit, TestsOfOneIdentityHaveKeysOfTheirOwn) {
  RunStarted started = samples::run_started();
  started.tests = {samples::run_test("t", 1), samples::run_test("t", 1)};
  samples::Events events{started};
  samples::add_test(events, samples::settled(0, RunFate::flaky, {samples::failed(0, "", "x"), samples::passed(1, "")}));
  samples::add_test(events, samples::settled(1, RunFate::flaky, {samples::failed(0, "", "x"), samples::passed(1, "")}));
  std::set<std::string> expected;
  for (int repetition = 0; repetition < 2; ++repetition) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      expected.insert(run_exec_key(started.run_id, repetition, attempt, started.tests[0].test_id));
    }
  }
  std::set<std::string> read;
  for (const auto& o : observations_of(events).observations) read.insert(o.exec_key);
  EXPECT_EQ(read, expected);
}

TEST(RunJunit, NotesOfAForeignerAreNotTakenForOurs) {
  const auto xml = junit_of(samples::run_events());
  EXPECT_THAT(xml, HasSubstr("<property name=\"ticket\" value=\"A-1\"/>"));
  EXPECT_THAT(xml, Not(HasSubstr("forged")));
}

TEST(RunJunit, ARunWithoutTestsIsAReport) {
  const auto reading = read_report(run_junit({}));
  EXPECT_EQ(reading.error, "");
  EXPECT_TRUE(reading.cases.empty());
}

TEST(RunJunit, CollectedFilesAreNamedAsPytestNamesThem) {
  const auto started = samples::run_started();
  EXPECT_EQ(collection_test(started, "tests/unit/a.py").name, "tests.unit.a");
  EXPECT_EQ(collection_test(started, "tests/unit/a.py").class_name, "pytest");
  const auto inner = collection_test(started, "tests/a.py::TestX::TestY");
  EXPECT_EQ(inner.class_name, "tests.a.TestX");
  EXPECT_EQ(inner.name, "TestY");
  EXPECT_EQ(collection_test({}, "").suite, "pytest");
}

RunAttempt random_attempt(text::NastyText& text, std::mt19937& random, int number, bool failing) {
  auto attempt = samples::passed(number, "gw0");
  attempt.status =
      failing ? (random() % 2 == 0 ? RunStatus::failed : RunStatus::error)
              : std::array{RunStatus::passed, RunStatus::skipped, RunStatus::xfailed, RunStatus::xpassed}[random() % 4];
  if (failing && random() % 3 == 0) attempt.trouble = RunTrouble::crashed;
  attempt.message = "m" + text.next();
  attempt.details = text.next();
  attempt.captured = {{"Captured stdout call", text.next()}};
  attempt.properties = {{text.next(), text.next()}};
  return attempt;
}

samples::Events random_run(text::NastyText& text, std::mt19937& random) {
  RunStarted started = samples::run_started();
  for (auto& test : started.tests) {
    test.suite = "s" + clean_name(text.next());
    test.class_name = "c" + clean_name(text.next());
    test.name += clean_name(text.next());
    test.file = "f" + text.next();
    test.test_id = test_id(test.suite, test.class_name, test.name);
  }
  samples::Events events{started};
  for (std::size_t i = 0; i < started.tests.size(); ++i) {
    TestSettled settled{i, RunFate::passed, {}, {}, text.next(), text.next()};
    const int reruns = static_cast<int>(random() % 3);
    const bool fails = random() % 2 == 0;
    for (int n = 0; n < reruns; ++n) settled.attempts.push_back(random_attempt(text, random, n, true));
    settled.attempts.push_back(random_attempt(text, random, reruns, fails));
    if (fails) settled.fate = random() % 2 == 0 ? RunFate::quarantined : RunFate::failed;
    else if (reruns > 0) settled.fate = RunFate::flaky;
    samples::add_test(events, settled);
  }
  return events;
}

// Attempts as the log would store them.
void expect_same(const RunRecord& record, const std::vector<Observation>& read) {
  std::map<std::string, const Observation*> by_key;
  for (const auto& o : read) by_key[o.exec_key] = &o;
  std::size_t attempts = 0;
  for (std::size_t i = 0; i < record.started.tests.size(); ++i) {
    const auto& test = record.test(i);
    for (const auto& attempt : record.settled[i]->attempts) {
      ++attempts;
      const auto at = by_key.find(run_exec_key(record.started.run_id, 0, attempt.attempt, test.test_id));
      ASSERT_NE(at, by_key.end()) << test.name << " attempt " << attempt.attempt;
      const auto& o = *at->second;
      EXPECT_EQ(o.suite, test.suite);
      EXPECT_EQ(o.class_name, test.class_name);
      EXPECT_EQ(o.name, test.name);
      EXPECT_EQ(o.test_id, test.test_id);
      EXPECT_EQ(o.file, clean_name(test.file));
      EXPECT_EQ(is_failure(o.status), attempt.failing());
      EXPECT_EQ(o.status == Status::error, attempt.status == RunStatus::error) << test.name;
      EXPECT_EQ(o.quarantined, record.settled[i]->fate == RunFate::quarantined);
      if (attempt.failing() && attempt.trouble == RunTrouble::none) {
        EXPECT_EQ(o.message, clean_line(clean_name(attempt.message)));
      }
    }
  }
  EXPECT_EQ(read.size(), attempts);
}

TEST(RunJunit, WhateverTheTestsSaidTheReaderFindsTheSameExecutions) {
  text::NastyText text(7);
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const auto events = random_run(text, random);
    const auto reading = read_report(junit_of(events));
    ASSERT_EQ(reading.error, "");
    EXPECT_FALSE(reading.summary.damage);
    EXPECT_TRUE(reading.summary.notes.empty()) << reading.summary.notes.front();
    expect_same(samples::record_of(events), observations_of(events).observations);
  }
}

// By a parser that is not ours.
TEST(RunJunit, EveryDocumentIsValidXml) {
  const testing::TempDir dir;
  std::string command = "python3 -c 'import sys,xml.etree.ElementTree as e;[e.parse(f) for f in sys.argv[1:]]'";
  std::size_t count = 0;
  const auto add = [&](const samples::Events& events) {
    command += " '" + dir.write(std::to_string(++count) + ".xml", junit_of(events)) + "'";
  };
  add(samples::run_events());
  for (const auto& hostile : samples::hostile_run_texts()) add(samples::hostile_events_of_run(hostile));
  text::NastyText text(23);
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) add(random_run(text, random));
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(RunJunit, HostileTextIsTextInTheDocument) {
  for (const auto& hostile : samples::hostile_run_texts()) {
    const auto reading = read_report(junit_of(samples::hostile_events_of_run(hostile)));
    EXPECT_EQ(reading.error, "") << hostile;
    EXPECT_FALSE(reading.summary.damage) << hostile;
  }
}

}  // namespace
}  // namespace flakestat::report
