// Rules of the whole way from a log to verdicts. Numbers of the models are checked in scoring_vectors_test.cpp.
#include <gtest/gtest.h>

#include "stats/history_fixture.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

LogBook green_suite(int tests, int commits) {
  LogBook log;
  for (int c = 0; c < commits; ++c) {
    Place at;
    at.commit = "green" + std::to_string(100 + c);
    at.ts += c * kHour;
    for (int t = 0; t < tests; ++t) log.add(at, "test" + std::to_string(t), 'P');
  }
  return log;
}

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
  for (const auto& [key, proofs] : {std::pair{"database", 0U}, {"ci.worker", 1U}, {"ci.shard", 1U}, {"ci.provider", 1U}}) {
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
    at.ts += static_cast<UnixMillis>(i * 7 % 6) * kHour;  // times are out of order
    at.dimensions["ci.run_number"] = std::to_string(i + 8);  // 9 before 10: numbers, not texts
    log.add_all(at, "t", outcomes[i]);
  }
  EXPECT_EQ(of(score(log), "t").cross_commit_flips, 1U);
  log.lines.back().dimensions.erase("ci.run_number");
  log.lines.back().ts = kNoon - kHour;
  EXPECT_EQ(of(score(log), "t").cross_commit_flips, 2U) << "one commit without a number: all by time";
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

// Field case E01: with retries a 50 % test must not read as good.
TEST(History, RetriesDoNotHideTheRateOfFirstTries) {
  LogBook log;
  for (int i = 0; i < 20; ++i) {
    Place at;
    at.commit = "c" + std::to_string(100 + i);
    at.ts += i * kHour;
    const bool failed = i % 2 == 0;
    log.add(at, "t", failed ? 'F' : 'P');
    if (failed) log.add(at, "t", 'P').attempt = 1;
  }
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.verdict, Verdict::flaky);
  EXPECT_EQ(t.first_tries, 20U);
  EXPECT_EQ(t.first_try_fails, 10U);
  auto options = example_options();
  options.model = Model::flip_rate;
  EXPECT_DOUBLE_EQ(of(score(log, options), "t").rate, 0.5);
}

// Field case E05: a red test that passed once, then went on failing.
TEST(History, ARedTestThatPassedOnceIsFlakyAndFailingNow) {
  LogBook log;
  log.add_commits("t", std::string(50, 'F') + "P" + std::string(5, 'F'));
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.verdict, Verdict::flaky);
  EXPECT_EQ(t.failing_run, 5U);
  EXPECT_EQ(t.last_pass_commit, "commit1050");
}

// Field case E07: one run with 90 % failed, the rerun green.
TEST(History, AnOutageIsDiscountedToldAndNeverAProof) {
  LogBook log = green_suite(50, 20);
  Place at;
  at.commit = "outage";
  at.ts += 100 * kHour;
  at.run_id = "bad";
  for (int t = 0; t < 50; ++t) log.add(at, "test" + std::to_string(t), t % 10 == 0 ? 'P' : 'F');
  at.run_id = "good";
  at.ts += kHour;
  for (int t = 0; t < 50; ++t) log.add(at, "test" + std::to_string(t), 'P');
  const auto scores = score(log);
  ASSERT_EQ(scores.outages.size(), 1U);
  EXPECT_EQ(scores.outages[0].run_id, "bad");
  EXPECT_EQ(scores.outages[0].tests, 50U);
  EXPECT_EQ(scores.outages[0].failures, 45U);
  EXPECT_NEAR(scores.outages[0].hit_rate, 0.9, 0.02);
  for (const auto& test : scores.tests) {
    EXPECT_EQ(test.verdict, Verdict::stable) << test.name;
    EXPECT_EQ(test.proofs, 0U) << test.name;
  }
}

TEST(History, AJobThatSelectedItsTestsIsNoOutage) {
  LogBook log = green_suite(50, 20);
  Place at;
  at.commit = "rerun";
  at.ts += 100 * kHour;
  for (int t = 0; t < 45; ++t) log.add(at, "test" + std::to_string(t), 'F').partial = true;
  EXPECT_TRUE(score(log).outages.empty());
}

TEST(History, RerunsInTheJobOfAnOutageDoNotHideIt) {
  LogBook log = green_suite(50, 20);
  Place at;
  at.commit = "outage";
  at.ts += 100 * kHour;
  at.run_id = "bad";
  for (int t = 0; t < 50; ++t) log.add(at, "test" + std::to_string(t), 'F');
  for (int t = 0; t < 50; ++t) {
    auto& rerun = log.add(at, "test" + std::to_string(t), 'P');
    rerun.partial = true;
    rerun.attempt = 1;
  }
  const auto scores = score(log);
  EXPECT_EQ(scores.outages.size(), 1U);
  EXPECT_EQ(scores.tests[0].proofs, 0U);
}

TEST(History, AFeatureLaneSilentForMoreThan64CodesStartsAfresh) {
  for (const auto& [silent, transitions] : {std::pair{64, 1U}, std::pair{65, 0U}}) {
    LogBook log;
    Place at;
    at.branch = "feature";
    log.add(at, "t", 'P');
    for (int i = 0; i < silent; ++i) {
      Place other;
      other.commit = "other" + std::to_string(i);
      other.ts += (i + 1) * kHour;
      log.add(other, "another", 'P');
    }
    at.commit = "back";
    at.ts += 1000 * kHour;
    log.add(at, "t", 'P');
    EXPECT_EQ(of(score(log), "t").transitions, transitions) << silent;
  }
}

TEST(History, BrokenLanesAreListedByEnvironment) {
  LogBook log;
  for (const char* os : {"windows", "linux"}) {
    Place at;
    at.os = os;
    at.ts += os[0] == 'w' ? 5 : 0;
    for (int i = 0; i < 103; ++i) {
      at.commit = "c" + std::to_string(100 + i);
      at.ts += kHour;
      log.add(at, "t", i < 100 ? 'P' : 'F');
    }
  }
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.verdict, Verdict::consistently_failing);
  EXPECT_EQ(t.broken_lanes, (std::vector<std::string>{"os=linux", "os=windows"}));
}

TEST(History, AutoBreakRateStartsNear003AndLearns) {
  LogBook log = green_suite(100, 50);
  auto options = example_options();
  options.bayes.break_rate.reset();
  EXPECT_LT(score(log, options).break_rate, 0.0011);
  EXPECT_NEAR(score(std::vector<Observation>{}, options).break_rate, 0.003, 1e-4);
}

}  // namespace
}  // namespace flakestat::stats
