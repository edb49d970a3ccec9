// Field cases, outages and lanes over whole logs.
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

// Field case E01: with retries a 50 % test must not read as good.
TEST(HistoryCases, RetriesDoNotHideTheRateOfFirstTries) {
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
TEST(HistoryCases, ARedTestThatPassedOnceIsFlakyAndFailingNow) {
  LogBook log;
  log.add_commits("t", std::string(50, 'F') + "P" + std::string(5, 'F'));
  const auto t = of(score(log), "t");
  EXPECT_EQ(t.verdict, Verdict::flaky);
  EXPECT_EQ(t.failing_run, 5U);
  EXPECT_EQ(t.last_pass_commit, "commit1050");
}

TEST(HistoryCases, WhatKeepsFailingIsNotPossiblyFixed) {
  LogBook log;
  Place at;
  at.commit = "first";
  log.add(at, "red", 'F');
  log.add(at, "red", 'P').attempt = 1;
  log.add_commits("red", std::string(300, 'F'));
  const auto red = of(score(log), "red");
  EXPECT_EQ(red.verdict, Verdict::flaky);
  EXPECT_LT(red.p_flaky, 0.95);
  EXPECT_FALSE(red.possibly_fixed);
  LogBook green;
  green.add(at, "t", 'F');
  green.add(at, "t", 'P').attempt = 1;
  green.add_commits("t", std::string(100, 'P'));
  const auto fixed = of(score(green), "t");
  EXPECT_EQ(fixed.verdict, Verdict::flaky);
  EXPECT_LT(fixed.p_flaky, 0.95);
  EXPECT_TRUE(fixed.possibly_fixed);
}

// Field case E07: one run with 90 % failed, the rerun green.
TEST(HistoryCases, AnOutageIsDiscountedToldAndNeverAProof) {
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

// A small suite of which many tests are flaky: the first run of a fresh hunt fails more of it than anybody expected.
TEST(HistoryCases, ATestThatDisagreesInABurstIsFlakyWhateverItsFirstRunLookedLike) {
  LogBook log;
  Place at;
  at.commit = "c";
  at.run_id = "burst";
  at.source = Source::hunt;
  for (int run = 1; run <= 10; ++run) {
    for (int t = 0; t < 20; ++t) {
      const bool flaky = t < 10;
      log.add(at, "test" + std::to_string(t), flaky && (run == 1 || run == 1 + t) ? 'F' : 'P').attempt = run;
    }
  }
  const auto scores = score(log);
  EXPECT_TRUE(scores.outages.empty());
  for (int t = 0; t < 20; ++t) {
    EXPECT_EQ(of(scores, "test" + std::to_string(t)).verdict, t < 10 ? Verdict::flaky : Verdict::stable) << t;
  }
}

// The network was not there yet when the first run began.
TEST(HistoryCases, AFirstRunInWhichEverythingFailsAccusesNobody) {
  LogBook log;
  Place at;
  at.commit = "c";
  at.run_id = "burst";
  at.source = Source::hunt;
  for (int run = 1; run <= 10; ++run) {
    for (int t = 0; t < 20; ++t) {
      const bool flaky = t == 0 && run == 7;
      log.add(at, "test" + std::to_string(t), run == 1 || flaky ? 'F' : 'P').attempt = run;
    }
  }
  const auto scores = score(log);
  ASSERT_EQ(scores.outages.size(), 1U);
  for (int t = 0; t < 20; ++t) {
    const auto& test = of(scores, "test" + std::to_string(t));
    EXPECT_EQ(test.verdict, t == 0 ? Verdict::flaky : Verdict::stable) << t;
  }
}

TEST(HistoryCases, AnOutageThatLastsAWholeBurstIsOneAndHidesNoDisagreement) {
  LogBook log = green_suite(50, 20);
  Place at;
  at.commit = "outage";
  at.ts += 100 * kHour;
  at.run_id = "earlier";
  for (int t = 0; t < 50; ++t) log.add(at, "test" + std::to_string(t), 'P');
  at.run_id = "burst";
  at.ts += kHour;
  at.source = Source::hunt;
  for (int run = 1; run <= 5; ++run) {
    for (int t = 0; t < 50; ++t) {
      const bool failed = t == 0 ? run == 3 : t < 40;
      log.add(at, "test" + std::to_string(t), failed ? 'F' : 'P').attempt = run;
    }
  }
  const auto scores = score(log);
  ASSERT_EQ(scores.outages.size(), 1U);
  EXPECT_EQ(scores.outages[0].failures, 39U);
  EXPECT_EQ(of(scores, "test0").verdict, Verdict::flaky);
  EXPECT_EQ(of(scores, "test0").proof_run_ids, std::vector<std::string>({"earlier", "burst"}));
  for (int t = 1; t < 50; ++t) {
    EXPECT_EQ(of(scores, "test" + std::to_string(t)).proofs, 0U) << t;
  }
}

TEST(HistoryCases, AJobThatSelectedItsTestsIsNoOutage) {
  LogBook log = green_suite(50, 20);
  Place at;
  at.commit = "rerun";
  at.ts += 100 * kHour;
  for (int t = 0; t < 45; ++t) log.add(at, "test" + std::to_string(t), 'F').partial = true;
  EXPECT_TRUE(score(log).outages.empty());
}

TEST(HistoryCases, RerunsInTheJobOfAnOutageDoNotHideIt) {
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

TEST(HistoryCases, AFeatureLaneSilentForMoreThan64CodesStartsAfresh) {
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

TEST(HistoryCases, BrokenLanesAreListedByEnvironment) {
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

TEST(HistoryCases, AutoBreakRateStartsNear003AndLearns) {
  LogBook log = green_suite(100, 50);
  auto options = example_options();
  options.bayes.break_rate.reset();
  EXPECT_LT(score(log, options).break_rate, 0.0011);
  EXPECT_NEAR(score(std::vector<Observation>{}, options).break_rate, 0.003, 1e-4);
}

}  // namespace
}  // namespace flakestat::stats
