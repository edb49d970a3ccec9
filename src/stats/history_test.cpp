// Rules of the whole way from a log to verdicts. Numbers of the models are checked in scoring_vectors_test.cpp.
#include <gtest/gtest.h>

#include "stats/history_fixture.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

TEST(History, EmptyHistoryScoresNothing) {
  const auto scores = History().score(example_options());
  EXPECT_TRUE(scores.tests.empty());
  EXPECT_EQ(scores.observations, 0U);
}

TEST(History, OnlySkipsAreAlwaysSkipped) {
  LogBook log;
  log.add_commits("t", "SSSS");
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.verdict, Verdict::always_skipped);
  EXPECT_EQ(t.skips, 4U);
  EXPECT_EQ(t.runs, 0U);
}

TEST(History, ErrorAndFailureAreOneOutcome) {
  LogBook log;
  log.add_commits("t", "PPFEFEPP");
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.fails, 4U);
  EXPECT_EQ(t.cross_commit_flips, 2U);
}

TEST(History, OfEqualKeysTheSmallestTimeThenTheSmallestRunCounts) {
  LogBook log;
  log.add_commits("t", "PPPPPP");
  auto& first = log.lines.back();
  first.exec_key = "00000000000000ff";
  auto later = first;
  later.ts += 1;
  later.status = Status::fail;
  auto other_run = first;
  other_run.run_id += "z";
  other_run.status = Status::fail;
  log.lines.push_back(later);
  log.lines.insert(log.lines.begin(), other_run);
  const auto scores = score(log);
  EXPECT_EQ(scores.duplicates, 2U);
  EXPECT_EQ(scores.observations, 6U);
  EXPECT_EQ(of(scores, "t").fails, 0U);
}

TEST(History, LinesWithoutAKeyAlwaysCount) {
  LogBook log;
  log.add_commits("t", "PPP");
  for (auto& line : log.lines) line.exec_key.clear();
  log.lines.push_back(log.lines.back());
  const auto scores = score(log);
  EXPECT_EQ(scores.duplicates, 0U);
  EXPECT_EQ(of(scores, "t").passes, 4U);
}

TEST(History, ATestWhoseOnlyLineLostToAnotherTestsKeyIsNotListed) {
  LogBook log;
  log.add_commits("kept", "P");
  log.add_commits("lost", "P");
  log.lines[1].exec_key = log.lines[0].exec_key;
  EXPECT_EQ(score(log).tests.size(), 1U);
}

TEST(History, ModifiedTreesAreCodesOfTheirOwn) {
  LogBook log;
  Place at;
  log.add_all(at, "t", "PPP");
  at.code = "c1+5f1e0c3a";
  at.ts += kHour;
  log.add_all(at, "t", "FFF");
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.proofs, 0U);
  EXPECT_EQ(t.same_commit_flips, 0U);
  EXPECT_EQ(t.cross_commit_flips, 1U);
}

TEST(History, WithoutACommitCodeIsSharedWithinARunOnly) {
  LogBook log;
  Place at;
  at.commit.clear();
  at.run_id = "run-a";
  log.add_all(at, "across", "PPP");
  log.add_all(at, "within", "PFP");
  at.run_id = "run-b";
  at.ts += kHour;
  log.add_all(at, "across", "FFF");
  const auto scores = score(log);
  EXPECT_EQ(of(scores, "across").proofs, 0U);
  EXPECT_EQ(of(scores, "within").proofs, 1U);
  EXPECT_EQ(of(scores, "within").commits, 0U);
}

TEST(History, AJobPastTheSameCodeWindowOpensANewCell) {
  for (const auto& [hours, proofs] : {std::pair{24, 1U}, std::pair{25, 0U}}) {
    LogBook log;
    Place at;
    at.run_id = "monday";
    log.add_all(at, "t", "PPP");
    at.run_id = "tuesday";
    at.ts += hours * kHour;
    log.add_all(at, "t", "FFF");
    const auto t = of(score(log), "t");
    EXPECT_EQ(t.proofs, proofs) << hours;
    EXPECT_EQ(t.cross_commit_flips, 1U - proofs) << hours;
  }
}

TEST(History, TheWindowIsMeasuredFromTheCellsFirstJob) {
  LogBook log;
  Place at;
  for (const auto& [run, hours, outcome] : {std::tuple{"a", 0, 'P'}, {"b", 20, 'P'}, {"c", 40, 'F'}, {"d", 50, 'P'}}) {
    Place now = at;
    now.run_id = run;
    now.ts += hours * kHour;
    log.add(now, "t", outcome);
  }
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.proofs, 1U) << "c and d share the cell that c opened";
  EXPECT_EQ(t.proof_run_ids, (std::vector<std::string>{"c", "d"}));
}

TEST(History, AFastForwardMergeStaysInTheLaneThatSawTheCodeFirst) {
  LogBook log;
  Place at;
  at.branch = "feature";
  log.add_all(at, "t", "P");
  at.branch = "main";
  at.ts += kHour;
  log.add_all(at, "t", "F");
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.proofs, 1U);
  EXPECT_EQ(t.same_commit_flips, 1U);
  EXPECT_EQ(t.branches, 2U);
  EXPECT_EQ(t.commits, 1U);
}

TEST(History, OutcomesOfDifferentEnvironmentsAreNotCompared) {
  LogBook log;
  Place at;
  log.add_all(at, "t", "PPP");
  at.os = "windows";
  log.add_all(at, "t", "FFF");
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.proofs, 0U);
  EXPECT_EQ(t.transitions, 4U);
  EXPECT_EQ(t.same_commit_flips + t.cross_commit_flips, 0U);
}

TEST(History, OtherDimensionsSplitEnvironmentsButProvenanceDoesNot) {
  for (const auto& [key, proofs] :
       {std::pair{"database", 0U}, {"ci.worker", 1U}, {"ci.shard", 1U}, {"ci.provider", 1U}}) {
    LogBook log;
    Place at;
    at.dimensions[key] = "one";
    log.add_all(at, "t", "PPP");
    at.dimensions[key] = "two";
    at.ts += 1;
    log.add_all(at, "t", "FFF");
    EXPECT_EQ(of(score(log), "t").proofs, proofs) << key;
  }
}

TEST(History, ContextOptionsAddAndRemoveKeys) {
  LogBook log;
  Place at;
  at.dimensions["ci.provider"] = "one";
  log.add_all(at, "t", "PPP");
  at.dimensions["ci.provider"] = "two";
  log.add_all(at, "t", "FFF");
  auto options = example_options();
  options.context_keys = {"ci.provider"};
  EXPECT_EQ(of(score(log, options), "t").proofs, 0U);
  options.context_ignore = {"ci.provider"};
  EXPECT_EQ(of(score(log, options), "t").proofs, 1U);
}

TEST(History, CommitsAreOrderedByRunNumberWhereAllHaveIt) {
  LogBook log;
  std::vector<std::string> outcomes{"F", "F", "F", "P", "P", "P"};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Place at;
    at.commit = "c" + std::to_string(i);
    at.ts += static_cast<UnixMillis>(i * 7 % 6) * kHour;     // times are out of order
    at.dimensions["ci.run_number"] = std::to_string(i + 8);  // 9 before 10: numbers, not texts
    log.add_all(at, "t", outcomes[i]);
  }
  EXPECT_EQ(of(score(log), "t").cross_commit_flips, 1U);
  Dimensions unnumbered = log.lines.back().dimensions.get();
  unnumbered.erase("ci.run_number");
  log.lines.back().dimensions = unnumbered;
  log.lines.back().ts = kNoon - kHour;
  EXPECT_EQ(of(score(log), "t").cross_commit_flips, 2U) << "one commit without a number: all by time";
}

TEST(History, WithoutAnyBranchABurstScoresAsOnTheDefaultBranch) {
  for (const auto model : {Model::bayes, Model::flip_rate}) {
    LogBook named;
    LogBook nameless;
    Place at;
    named.add_all(at, "t", "PPPPFPPPPPPPPPPPPPPP");
    at.branch.clear();
    nameless.add_all(at, "t", "PPPPFPPPPPPPPPPPPPPP");
    auto options = example_options();
    options.model = model;
    const auto on_main = score(named, options);
    options.default_branch.clear();
    const auto without = score(nameless, options);
    EXPECT_EQ(of(without, "t").score, of(on_main, "t").score);
    EXPECT_EQ(of(without, "t").p_flaky, of(on_main, "t").p_flaky);
    EXPECT_EQ(of(without, "t").verdict, of(on_main, "t").verdict);
  }
}

TEST(History, LateResultsTakeTheirPlaceInCommitOrder) {
  LogBook log;
  log.add_commits("t", "PPPPPFFFFFPPPPP");
  auto late = log.lines;
  std::swap(late[3], late.back());
  EXPECT_EQ(of(score(log), "t").p_flaky, of(score(late), "t").p_flaky);
}

TEST(History, AmbiguousObservationsAreOneExecutionWithTheWorstStatus) {
  LogBook log;
  log.add_commits("t", "PPPPP");
  Place at;
  at.ts += 100 * kHour;
  at.commit = "last";
  log.add_all(at, "t", "PFP");
  for (std::size_t i = log.lines.size() - 3; i < log.lines.size(); ++i) log.lines[i].ambiguous = true;
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.runs, 6U);
  EXPECT_EQ(t.fails, 1U);
  EXPECT_EQ(t.proofs, 0U);
  EXPECT_NE(t.verdict, Verdict::flaky);
  EXPECT_EQ(t.same_commit_flips, 0U);
}

TEST(History, AmbiguousCasesOfDifferentHuntRunsAreDifferentExecutions) {
  LogBook log;
  Place at;
  at.source = Source::hunt;
  at.run_id = "hunt";
  for (int run = 1; run <= 5; ++run) {
    for (int copy = 0; copy < 2; ++copy) {
      auto& o = log.add(at, "t", 'P');
      o.attempt = run;
      o.repetition = copy;
      o.ambiguous = true;
    }
  }
  EXPECT_EQ(of(score(log), "t").runs, 5U);
}

TEST(History, AnOldKnownFlakyPassHoldsTheFailureThatTheFrameworkSaw) {
  LogBook log;
  log.add_commits("t", "PPPPPPPPPP");
  log.lines[5].known_flaky = true;
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.verdict, Verdict::flaky);
  EXPECT_EQ(t.proofs, 1U);
  EXPECT_EQ(t.runs, 10U) << "only what was recorded is counted";
  EXPECT_TRUE(t.known_flaky);
  EXPECT_NE(t.last_failure, 0);
}

TEST(History, ARecordedFailedAttemptIsNotCountedTwice) {
  LogBook with_attempts;
  LogBook plain;
  for (LogBook* log : {&with_attempts, &plain}) {
    Place at;
    auto& failed = log->add(at, "t", 'F');
    failed.attempt = 0;
    auto& passed = log->add(at, "t", 'P');
    passed.attempt = 1;
    passed.known_flaky = log == &with_attempts;
  }
  EXPECT_EQ(of(score(with_attempts), "t").p_flaky, of(score(plain), "t").p_flaky);
}

TEST(History, SanitisedIsASkipAndQuarantinedIsAFailure) {
  LogBook log;
  log.add_commits("t", "PPPPFF");
  log.lines[4].sanitised_assumption = "network";
  log.lines[5].quarantined = true;
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.sanitised, 1U);
  EXPECT_EQ(t.skips, 1U);
  EXPECT_EQ(t.quarantined, 1U);
  EXPECT_EQ(t.fails, 1U);
}

TEST(History, ContendedDisagreementIsSuspectAndNoProof) {
  LogBook log;
  Place at;
  at.source = Source::hunt;
  log.add_all(at, "t", "PPPPFPPPPP");
  for (auto& line : log.lines) line.contended = true;
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.proofs, 0U);
  EXPECT_EQ(t.verdict, Verdict::suspect);
}

TEST(History, ContendedPassesBesideFailuresAloneAreSuspectAndNotFlaky) {
  LogBook log;
  Place at;
  at.source = Source::hunt;
  log.add_all(at, "t", "FPPPPPPPPPPPPFFFFF");
  for (auto& line : log.lines) line.contended = line.status == Status::pass;
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.proofs, 0U);
  EXPECT_NE(t.verdict, Verdict::flaky);
}

TEST(History, WhatOnlyCopiesShowIsSuspectUntilItHappensAlone) {
  LogBook log;
  Place at;
  at.source = Source::hunt;
  log.add_all(at, "t", "PPFPPPPFPPPPPPF");
  for (std::size_t i = 1; i < log.lines.size(); ++i) log.lines[i].isolation = "fs,tmp,pid";
  EXPECT_EQ(of(score(log), "t").verdict, Verdict::suspect);
  log.lines.back().isolation.clear();
  EXPECT_EQ(of(score(log), "t").verdict, Verdict::flaky);
}

TEST(History, CopiesWithoutTheirOwnNetworkProveNothing) {
  for (const auto& [isolation, proofs] : {std::pair{"fs,tmp,pid", 0U}, {"fs,tmp,pid,net", 1U}, {"", 1U}}) {
    LogBook log;
    Place at;
    at.source = Source::hunt;
    log.add_all(at, "t", "PPFPP");
    for (auto& line : log.lines) line.isolation = isolation;
    EXPECT_EQ(of(score(log), "t").proofs, proofs) << isolation;
  }
}

TEST(History, WeakFlipsAreChangesBetweenSkipAndRunInAContext) {
  LogBook log;
  log.add_commits("t", "PSSPFS");
  Place elsewhere;
  elsewhere.os = "windows";
  log.add_commits("t", "SSS", elsewhere);
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.weak_flips, 3U);
  EXPECT_EQ(t.verdict, Verdict::insufficient_data);
}

TEST(History, ABranchCountIsExactPast64Branches) {
  LogBook log;
  for (int i = 0; i < 200; ++i) {
    Place at;
    at.branch = "b" + std::to_string(i % 100);
    at.commit = "c" + std::to_string(i);
    at.ts += i * kHour;
    log.add(at, "t", 'P');
  }
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.branches, 100U);
  EXPECT_EQ(t.commits, 200U);
}

TEST(History, NamesAndFileComeFromTheLatestObservation) {
  LogBook log;
  log.add_commits("t", "PP");
  log.lines[0].file = "old.py";
  log.lines[1].file = "new.py";
  EXPECT_EQ(of(score(log), "t").file, "new.py");
  std::swap(log.lines[0], log.lines[1]);
  EXPECT_EQ(of(score(log), "t").file, "new.py");
}

TEST(History, FamilyIsTheNameWithoutItsParameters) {
  LogBook log;
  log.add_commits("test_login[oauth]", "P");
  log.add_commits("test_login", "P");
  const auto scores = score(log);
  EXPECT_EQ(of(scores, "test_login[oauth]").family_id, of(scores, "test_login").test_id);
  EXPECT_EQ(of(scores, "test_login").family_id, of(scores, "test_login").test_id);
}

TEST(History, RowsAreWorstFirst) {
  LogBook log;
  log.add_commits("steady", "PPPPPPPPPP");
  log.add_commits("red", "FFFFFFFFFF");
  Place at;
  log.add_all(at, "flaky", "PFPFP");
  const auto scores = score(log);
  ASSERT_EQ(scores.tests.size(), 3U);
  EXPECT_EQ(scores.tests[0].name, "flaky");
  EXPECT_EQ(scores.tests[1].name, "red");
  EXPECT_EQ(scores.tests[2].name, "steady");
}

TEST(History, TimesOfSightAndFailureAreKept) {
  LogBook log;
  log.add_commits("t", "PFP");
  const auto t = of(score(shuffled(log.lines, 3)), "t");
  EXPECT_EQ(t.first_seen, log.lines[0].ts);
  EXPECT_EQ(t.last_failure, log.lines[1].ts);
  EXPECT_EQ(t.last_seen, log.lines[2].ts);
}

}  // namespace
}  // namespace flakestat::stats
