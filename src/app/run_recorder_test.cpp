#include "app/run_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "model/identity.hpp"
#include "testing/fake_clock.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::slurp;

RunTest test_named(const std::string& name) {
  RunTest test;
  test.id = "tests/test_a.py::" + name;
  test.suite = "pytest";
  test.class_name = "tests.test_a";
  test.name = name;
  test.test_id = test_id(test.suite, test.class_name, test.name);
  test.file = "tests/test_a.py";
  return test;
}

RunAttempt attempt(int number, RunStatus status, const std::string& message = {}) {
  RunAttempt made;
  made.attempt = number;
  made.status = status;
  made.started = 1'783'850'000'000 + number;
  made.seconds = 0.25;
  made.worker = "gw1";
  made.message = message;
  return made;
}

class RunRecorderTest : public ::testing::Test {
 protected:
  RunRecorderTest() {
    provenance_.run_id = "r1";
    provenance_.code.commit = "c1";
    provenance_.code.branch = "main";
    provenance_.detected = {{"os", "linux"}, {"db", "none"}};
    provenance_.explicit_ones = {{"db", "pg"}};
  }

  [[nodiscard]] std::string dir() const { return folder_.file("state"); }
  [[nodiscard]] std::string log() const {
    return std::filesystem::exists(dir() + "/runs.ndjson") ? slurp(dir() + "/runs.ndjson") : "";
  }
  [[nodiscard]] std::size_t lines() const {
    const auto text = log();
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  static RunStarted started(std::vector<RunTest> tests, bool partial = false) {
    RunStarted event;
    event.run_id = "r1";
    event.tests = std::move(tests);
    event.partial = partial;
    return event;
  }
  static TestSettled settled(std::size_t test, RunFate fate, std::vector<RunAttempt> attempts) {
    TestSettled event;
    event.test = test;
    event.fate = fate;
    event.attempts = std::move(attempts);
    return event;
  }

  testing::TempDir folder_;
  testing::FakeClock clock_;
  Provenance provenance_;
};

TEST_F(RunRecorderTest, EveryAttemptIsAnObservation) {
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("t")}));
  recorder.take(settled(0, RunFate::flaky,
                        {attempt(0, RunStatus::failed, "assert\n1 == 2"), attempt(1, RunStatus::error, "set-up"),
                         attempt(2, RunStatus::passed)}));
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(recorder.stored(), 3U);
  const auto text = log();
  EXPECT_THAT(text, HasSubstr(R"("run_id":"r1","commit":"c1","branch":"main","source":"run","attempt":0)"));
  EXPECT_THAT(text, HasSubstr(R"("status":"fail")"));
  EXPECT_THAT(text, HasSubstr(R"("attempt":1)"));
  EXPECT_THAT(text, HasSubstr(R"("status":"error")"));
  EXPECT_THAT(text, HasSubstr(R"("status":"pass","file":"tests/test_a.py","duration_ms":250,"known_flaky":true)"));
  EXPECT_THAT(text, HasSubstr(R"("dimensions":{"ci.worker":"gw1","db":"pg","os":"linux"})"));
}

TEST_F(RunRecorderTest, OnlyFailuresOfAQuarantinedTestAreMarked) {
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("t"), test_named("u")}));
  recorder.take(settled(0, RunFate::quarantined, {attempt(0, RunStatus::failed, "x")}));
  ASSERT_TRUE(recorder.finish());
  EXPECT_THAT(log(), HasSubstr(R"("quarantined":true)"));
  RunRecorder other(folder_.file("other"), provenance_, clock_);
  other.take(started({test_named("t")}));
  other.take(settled(0, RunFate::passed, {attempt(0, RunStatus::passed)}));
  ASSERT_TRUE(other.finish());
  EXPECT_THAT(slurp(folder_.file("other/runs.ndjson")), Not(HasSubstr("quarantined")));
}

TEST_F(RunRecorderTest, ExpectedFailuresAreSkipsAndUnexpectedPassesPasses) {
  EXPECT_EQ(status_of(RunStatus::xfailed), Status::skip);
  EXPECT_EQ(status_of(RunStatus::skipped), Status::skip);
  EXPECT_EQ(status_of(RunStatus::xpassed), Status::pass);
  EXPECT_EQ(status_of(RunStatus::passed), Status::pass);
  EXPECT_EQ(status_of(RunStatus::failed), Status::fail);
  EXPECT_EQ(status_of(RunStatus::error), Status::error);
}

TEST_F(RunRecorderTest, TestsOfOneIdentityAreRepetitions) {
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("t"), test_named("t")}));
  recorder.take(settled(1, RunFate::passed, {attempt(0, RunStatus::passed)}));
  recorder.take(settled(0, RunFate::passed, {attempt(0, RunStatus::passed)}));
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(lines(), 2U) << "equal keys would be one execution";
  EXPECT_THAT(log(), HasSubstr(R"("repetition":1)"));
}

TEST_F(RunRecorderTest, RerunsAndSelectionsArePartial) {
  RunRecorder whole(dir(), provenance_, clock_);
  whole.take(started({test_named("t")}));
  whole.take(settled(0, RunFate::passed, {attempt(0, RunStatus::passed)}));
  ASSERT_TRUE(whole.finish());
  EXPECT_THAT(log(), Not(HasSubstr("partial")));
  RunRecorder selected(dir(), provenance_, clock_);
  provenance_.run_id = "r2";
  selected.take(started({test_named("t")}, true));
  selected.take(settled(0, RunFate::passed, {attempt(0, RunStatus::passed)}));
  ASSERT_TRUE(selected.finish());
  EXPECT_THAT(log(), HasSubstr(R"("partial":true)"));
}

TEST_F(RunRecorderTest, TheFirstTestIsStoredAtOnceTheOthersEachSecond) {
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("a"), test_named("b"), test_named("c")}));
  const auto pass = [&](std::size_t test) { return settled(test, RunFate::passed, {attempt(0, RunStatus::passed)}); };
  recorder.take(pass(0));
  EXPECT_EQ(lines(), 1U);
  recorder.take(pass(1));
  EXPECT_EQ(lines(), 1U);
  clock_.advance(1001ms);
  recorder.take(pass(2));
  EXPECT_EQ(lines(), 3U);
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(lines(), 3U);
}

TEST_F(RunRecorderTest, AFileThatCannotBeCollectedIsAnErrorAndASkippedOneASkip) {
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("t")}));
  recorder.take(CollectionProblem{"tests/test_b.py", "ImportError: no\nsuch"});
  recorder.take(CollectionSkip{"tests/test_c.py", "no display"});
  recorder.take(CollectionSkip{"", "nowhere"});
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(lines(), 2U);
  EXPECT_THAT(log(), HasSubstr(R"("status":"error")"));
  EXPECT_THAT(log(), HasSubstr(R"("status":"skip")"));
}

TEST_F(RunRecorderTest, ATestThatNobodyAnnouncedIsNoObservation) {
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("t")}));
  recorder.take(settled(7, RunFate::passed, {attempt(0, RunStatus::passed)}));
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(recorder.stored(), 0U);
}

TEST_F(RunRecorderTest, WhatTestsSayCannotBreakTheLog) {
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("t[\n\x1b[2J{\"ts\":]")}));
  auto failed = attempt(0, RunStatus::failed, std::string(1 << 20, 'x') + "\n\x1b[31m\xff");
  failed.seconds = 1e300;
  recorder.take(settled(0, RunFate::failed, {failed}));
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(lines(), 1U);
  EXPECT_THAT(log(), Not(HasSubstr("\x1b")));
  EXPECT_LT(log().size(), 4096U);
}

TEST_F(RunRecorderTest, WhatCannotBeStoredIsToldAtTheEndOnly) {
  folder_.write("state", "a file where the folder should be");
  RunRecorder recorder(dir(), provenance_, clock_);
  recorder.take(started({test_named("a"), test_named("b")}));
  recorder.take(settled(0, RunFate::passed, {attempt(0, RunStatus::passed)}));
  recorder.take(settled(1, RunFate::passed, {attempt(0, RunStatus::passed)}));
  const auto kept = recorder.finish();
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().kind, ErrorKind::io);
  EXPECT_EQ(recorder.stored(), 0U);
}

}  // namespace
}  // namespace flakestat::app
