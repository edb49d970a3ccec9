#include "rules/gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/accept.hpp"
#include "rules/gate_fixture.hpp"

namespace flakestat::rules {
namespace {

using fixture::many;
using fixture::names;
using fixture::Runs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Eight runs of one commit, in which `b` disagrees with itself.
Runs with_a_flake() {
  Runs runs;
  runs.at.commit = "same";
  for (int i = 0; i < 8; ++i) runs.run({{"a", 'P'}, {"b", i % 2 == 0 ? 'P' : 'F'}});
  return runs;
}

Baseline accepted(const Runs& runs, double score) {
  Baseline baseline = accept(runs.scores(), "bayes", {}, false).baseline;
  for (auto& test : baseline.tests) test.score = score;
  return baseline;
}

TEST(Gate, AFlakyTestThatIsNotInTheBaselineIsNew) {
  const auto result = with_a_flake().decide();
  EXPECT_THAT(names(result.new_flaky), ElementsAre("b"));
  EXPECT_EQ(result.decision, Decision::failed);
  EXPECT_THAT(result.reasons, ElementsAre("1 newly flaky test"));
}

TEST(Gate, AnAcceptedOneIsNot) {
  const auto runs = with_a_flake();
  const auto result = runs.decide(accepted(runs, 0.4));
  EXPECT_THAT(names(result.accepted), ElementsAre("b"));
  EXPECT_EQ(result.decision, Decision::passed);
  EXPECT_THAT(result.reasons, IsEmpty());
}

TEST(Gate, WorseOutranksNewAndBothAreSaid) {
  Runs runs;
  runs.at.commit = "same";
  for (int i = 0; i < 8; ++i) runs.run({{"old", i % 2 == 0 ? 'P' : 'F'}, {"fresh", i % 2 == 0 ? 'F' : 'P'}});
  auto baseline = accepted(runs, 0.1);
  std::erase_if(baseline.tests, [](const AcceptedTest& test) { return test.name == "fresh"; });
  const auto result = runs.decide(baseline);
  EXPECT_EQ(result.decision, Decision::worse);
  EXPECT_THAT(result.reasons, ElementsAre("1 accepted flaky test got worse", "1 newly flaky test"));
}

TEST(Gate, ARiseOfExactlyTheDeltaIsNotWorse) {
  const auto runs = with_a_flake();
  const double score = runs.scores().tests.front().score;
  EXPECT_THAT(runs.decide(accepted(runs, score - 0.10)).worse, IsEmpty());
  EXPECT_THAT(runs.decide(accepted(runs, score - 0.1001)).worse, SizeIs(1));
}

TEST(Gate, TheSeverityLimitIsOnTheLowerBound) {
  const auto runs = with_a_flake();
  GateOptions options;
  options.severity = runs.scores().tests.front().lower_bound;
  EXPECT_THAT(runs.decide({}, options).new_flaky, SizeIs(1));
  *options.severity += 0.001;
  const auto result = runs.decide({}, options);
  EXPECT_THAT(names(result.below_threshold), ElementsAre("b"));
  EXPECT_EQ(result.decision, Decision::passed);
}

TEST(Gate, AnExcusedTestIsNeitherNewNorWorse) {
  const auto runs = with_a_flake();
  const auto flaky = runs.scores().tests.front();
  GateOptions options;
  options.excused = {flaky.test_id};
  const auto unknown = runs.decide({}, options);
  EXPECT_THAT(names(unknown.quarantined), ElementsAre("b"));
  EXPECT_THAT(unknown.new_flaky, IsEmpty());
  EXPECT_EQ(unknown.decision, Decision::passed);
  const auto rose = runs.decide(accepted(runs, flaky.score - 0.2), options);
  EXPECT_THAT(names(rose.quarantined), ElementsAre("b"));
  EXPECT_EQ(rose.decision, Decision::passed);
}

TEST(Gate, WhatBecameOfAnAcceptedTestIsTold) {
  Runs runs;
  for (int i = 0; i < 8; ++i) runs.run({{"stable", 'P'}, {"broken", 'F'}, {"skipped", 'S'}});
  runs.run({{"stable", 'P'}, {"broken", 'F'}, {"skipped", 'S'}, {"young", 'P'}});
  Baseline baseline{"bayes", {}};
  for (const char* name : {"stable", "broken", "skipped", "young", "gone"}) {
    baseline.tests.push_back({test_id("suite", "Class", name), "suite", "Class", name, "flaky", 0.3});
  }
  const auto result = runs.decide(baseline);
  EXPECT_THAT(names(result.fixed), ElementsAre("stable"));
  EXPECT_THAT(names(result.broken), ElementsAre("broken"));
  EXPECT_THAT(names(result.not_seen), ElementsAre("skipped", "young", "gone"));
  EXPECT_EQ(result.decision, Decision::passed);
}

TEST(Gate, AKnownFailureThatPassedOnceIsNeitherNewNorWorse) {
  Runs runs;
  runs.runs("k", std::string(50, 'F') + "P" + std::string(5, 'F'));
  ASSERT_EQ(runs.scores().tests.front().verdict, Verdict::flaky);
  const auto result = runs.decide();
  EXPECT_THAT(names(result.known_failing), ElementsAre("k"));
  EXPECT_EQ(result.known_failing.front().commit, "c51");
  EXPECT_THAT(result.new_flaky, IsEmpty());
  EXPECT_THAT(runs.decide(accepted(runs, 0.0)).worse, IsEmpty());
}

TEST(Gate, AnOutageOrAnIncompleteRunIsUndecided) {
  Runs runs;
  for (int i = 0; i < 12; ++i) runs.run(many(30, 'P'));
  const Runs calm = runs;
  runs.run(many(30, 'F'));
  const auto outage = runs.decide();
  EXPECT_THAT(outage.outages, SizeIs(1));
  EXPECT_EQ(outage.decision, Decision::undecided);

  auto partial = calm;
  partial.run(many(30, 'P'));
  for (std::size_t i = partial.lines().size() - 30; i < partial.lines().size(); ++i) partial.lines()[i].partial = true;
  EXPECT_TRUE(partial.decide().selected);
  EXPECT_EQ(partial.decide().decision, Decision::undecided);
  GateOptions options;
  options.branch = "main";
  const auto damaged = decide(partial.scores(), {}, partial.book({"r13"}), options);
  EXPECT_TRUE(damaged.damaged);
  EXPECT_FALSE(damaged.selected);
  EXPECT_EQ(damaged.decision, Decision::undecided);
}

TEST(Gate, AJobThatWasRunAgainIsJudgedByItsLastAttempt) {
  Runs runs;
  for (int i = 0; i < 12; ++i) runs.run(many(30, 'P'));
  runs.at.commit = "bad";
  runs.at.dimensions = {{"ci.run_id", "99"}, {"ci.attempt", "1"}};
  runs.run(many(30, 'F'));
  EXPECT_EQ(runs.decide().decision, Decision::undecided);
  EXPECT_EQ(runs.decide().newest.failing, 30U);
  runs.at.dimensions["ci.attempt"] = "2";
  runs.run(many(30, 'P'));
  EXPECT_EQ(runs.decide().newest.run_id, "99");
  EXPECT_EQ(runs.decide().newest.failing, 0U);
  EXPECT_THAT(runs.decide().outages, IsEmpty());
  EXPECT_EQ(runs.decide().decision, Decision::passed);
}

TEST(Gate, JobsOfOneAttemptAreNeighboursAndNoneHidesAnother) {
  Runs runs;
  for (int i = 0; i < 12; ++i) runs.run(many(30, 'P'));
  runs.at.commit = "bad";
  runs.at.dimensions = {{"ci.run_id", "99"}, {"ci.job_id", "postgres"}, {"ci.attempt", "1"}};
  runs.run(many(30, 'F'));
  runs.at.dimensions["ci.job_id"] = "mysql";
  runs.run(many(30, 'P'));
  EXPECT_EQ(runs.decide().newest.failing, 30U);
  EXPECT_THAT(runs.decide().outages, SizeIs(1));
  EXPECT_EQ(runs.decide().decision, Decision::undecided);
}

TEST(Gate, TheNewestRunIsThatOfThePresentBranch) {
  Runs runs;
  runs.run({{"a", 'P'}});
  runs.at.branch = "topic";
  runs.run({{"a", 'F'}});
  EXPECT_EQ(runs.decide().newest.run_id, "r1");
  GateOptions options;
  options.branch = "topic";
  EXPECT_EQ(runs.decide({}, options).newest.failing, 1U);
  options.branch = "elsewhere";
  EXPECT_TRUE(runs.decide({}, options).branch_unseen);
  EXPECT_EQ(runs.decide({}, options).newest.run_id, "r2");
}

TEST(Gate, AHuntBesideTheRunsOfTheSuiteIsNoNewestRun) {
  Runs runs;
  for (int i = 0; i < 3; ++i) runs.run(many(10, 'P'));
  runs.run(many(4, 'P'));
  const Runs suite_only = runs;
  runs.at.source = Source::hunt;
  runs.run({{"t0", 'P'}});
  runs.lines().back().partial = true;
  const auto result = runs.decide();
  EXPECT_EQ(result.newest.run_id, "r4");
  EXPECT_EQ(names(result.missing), names(suite_only.decide().missing));
  EXPECT_EQ(result.decision, Decision::passed);
  Runs hunts;
  hunts.at.source = Source::hunt;
  EXPECT_EQ(hunts.run({{"a", 'P'}}).decide().newest.run_id, "r1") << "where there is nothing else, it is";
}

TEST(Gate, ThePresentRunIsDecidedOnWhereverItsTimeStampsPutIt) {
  Runs runs;
  for (int i = 0; i < 3; ++i) runs.run(many(10, 'P'));
  runs.at.ts -= 1000 * fixture::kHour;
  runs.at.run_id = "present";
  runs.run(many(4, 'P'));
  GateOptions options;
  options.expect.all = true;
  EXPECT_EQ(runs.decide({}, options).newest.run_id, "r3");
  options.run = "present";
  EXPECT_EQ(runs.decide({}, options).newest.run_id, "present");
  EXPECT_THAT(runs.decide({}, options).missing, SizeIs(6));
  EXPECT_EQ(runs.decide({}, options).decision, Decision::failed);
  options.run = "not recorded";
  EXPECT_EQ(runs.decide({}, options).newest.run_id, "r3");
}

TEST(Gate, ReportsWithoutATestAreUndecided) {
  Runs runs;
  runs.run(many(10, 'P'));
  GateOptions options;
  options.nothing_brought = true;
  const auto result = runs.decide({}, options);
  EXPECT_EQ(result.decision, Decision::undecided);
  EXPECT_THAT(result.reasons, ElementsAre("the given reports hold no test"));
}

TEST(Gate, QuarantinedAndSanitisedTestsOfTheNewestRunAreCounted) {
  Runs runs;
  runs.run({{"a", 'F'}, {"q", 'Q'}, {"n", 'N'}, {"s", 'S'}});
  const auto newest = runs.decide().newest;
  EXPECT_EQ(newest.tests, 4U);
  EXPECT_EQ(newest.failing, 1U);
  EXPECT_EQ(newest.quarantined, 1U);
  EXPECT_EQ(newest.sanitised, 1U);
}

TEST(GateNewTests, NeedsCleanExecutionsInARowOnThisBranch) {
  Runs runs;
  runs.run({{"a", 'P'}}).run({{"a", 'P'}});
  runs.at.branch = "topic";
  for (const char outcome : std::string("PPFPP")) runs.run({{"a", 'P'}, {"fresh", outcome}});
  GateOptions options;
  options.branch = "topic";
  options.new_tests = 3;
  const auto result = runs.decide({}, options);
  EXPECT_THAT(names(result.unproven), ElementsAre("fresh"));
  EXPECT_EQ(result.unproven.front().count, 2U);
  options.excused = {result.unproven.front().test_id};
  EXPECT_THAT(runs.decide({}, options).unproven, IsEmpty());
  EXPECT_THAT(names(runs.decide({}, options).quarantined), ElementsAre("fresh")) << "excused, and told once";
  options.excused.clear();
  options.new_tests = 2;
  EXPECT_THAT(runs.decide({}, options).unproven, IsEmpty());
}

TEST(GateSanitised, OnlyWithoutARealExecutionInTheLastRuns) {
  GateOptions options;
  options.sanitised = 3;
  Runs runs;
  runs.runs("n", "PNNN");
  EXPECT_THAT(names(runs.decide({}, options).sanitised), ElementsAre("n"));
  Runs once;
  once.runs("n", "NNPNN");
  EXPECT_THAT(once.decide({}, options).sanitised, IsEmpty());
}

TEST(GateExpect, AllOrANumber) {
  Runs runs;
  for (int i = 0; i < 3; ++i) runs.run(many(10, 'P'));
  runs.run(many(4, 'P'));
  EXPECT_THAT(runs.decide().missing, SizeIs(6));
  EXPECT_EQ(runs.decide().decision, Decision::passed);
  GateOptions options;
  options.expect.all = true;
  EXPECT_EQ(runs.decide({}, options).decision, Decision::failed);
  options.expect = {false, 5};
  EXPECT_EQ(runs.decide({}, options).decision, Decision::failed);
  options.expect = {false, 4};
  EXPECT_EQ(runs.decide({}, options).decision, Decision::passed);
}

TEST(Gate, TheOrderOfTheLogNeverMatters) {
  auto runs = with_a_flake();
  runs.at.commit = Runs{}.at.commit;
  for (int i = 0; i < 5; ++i) runs.run({{"a", 'P'}, {"k", i == 3 ? 'P' : 'F'}});
  const auto expected = runs.decide();
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    auto other = runs;
    other.lines() = stats::fixture::shuffled(runs.lines(), seed);
    const auto found = other.decide();
    EXPECT_EQ(found.newest.run_id, expected.newest.run_id);
    EXPECT_EQ(names(found.new_flaky), names(expected.new_flaky));
    EXPECT_EQ(names(found.missing), names(expected.missing));
    EXPECT_EQ(found.reasons, expected.reasons);
  }
}

TEST(Accept, FlakyTestsAreAcceptedAndTheRestIsNot) {
  const auto runs = with_a_flake();
  const auto change = accept(runs.scores(), "bayes", {}, false);
  ASSERT_THAT(change.added, SizeIs(1));
  EXPECT_EQ(change.added.front().name, "b");
  EXPECT_EQ(change.added.front().score, runs.scores().tests.front().score);
  EXPECT_EQ(change.baseline.model, "bayes");
}

TEST(Accept, ASuspectStaysAcceptedButIsNotAcceptedAnew) {
  auto scores = with_a_flake().scores();
  scores.tests.front().verdict = Verdict::suspect;
  EXPECT_THAT(accept(scores, "bayes", {}, false).baseline.tests, IsEmpty());
  const auto& test = scores.tests.front();
  const Baseline before{"bayes", {{test.test_id, test.suite, test.class_name, test.name, "flaky", 0.9}}};
  const auto change = accept(scores, "bayes", before, false);
  ASSERT_THAT(change.kept, SizeIs(1));
  EXPECT_EQ(change.kept.front().verdict, "suspect");
  EXPECT_EQ(change.kept.front().score, test.score);
}

TEST(Accept, NotRunIsNotHealthy) {
  const auto runs = with_a_flake();
  const AcceptedTest gone{TestId{1}, "suite", "Class", "gone", "flaky", 0.3};
  const AcceptedTest healthy{test_id("suite", "Class", "a"), "suite", "Class", "a", "flaky", 0.3};
  Baseline before{"bayes", {gone, healthy}};
  const auto change = accept(runs.scores(), "bayes", before, false);
  EXPECT_THAT(change.unseen, ElementsAre(gone));
  EXPECT_THAT(change.removed, ElementsAre(healthy));
  EXPECT_THAT(change.baseline.tests, SizeIs(2));
  const auto pruned = accept(runs.scores(), "bayes", before, true);
  EXPECT_THAT(pruned.baseline.tests, SizeIs(1));
  EXPECT_THAT(pruned.removed, SizeIs(2));
}

}  // namespace
}  // namespace flakestat::rules
