#include "dispatch/lifecycle.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace flakestat::dispatch {
namespace {

RunAttempt result(RunStatus status, std::string message = "", RunTrouble trouble = RunTrouble::none) {
  RunAttempt attempt;
  attempt.status = status;
  attempt.message = std::move(message);
  attempt.trouble = trouble;
  return attempt;
}

const RunAttempt kPass = result(RunStatus::passed);
const RunAttempt kFail = result(RunStatus::failed, "AssertionError: boom");
const RunAttempt kError = result(RunStatus::error, "RuntimeError: set-up");
const RunAttempt kSkip = result(RunStatus::skipped);
const RunAttempt kCrash = result(RunStatus::error, "died", RunTrouble::crashed);
const RunAttempt kHang = result(RunStatus::error, "timed out", RunTrouble::timed_out);

RerunPolicy reruns(int count) {
  RerunPolicy policy;
  policy.reruns = count;
  return policy;
}

TestPolicy flaked(std::uint64_t times) {
  TestPolicy test;
  test.ledger.flaky = times;
  return test;
}

TestPolicy quarantined() {
  TestPolicy test;
  test.excuse = "tests/test_a.py::*";
  return test;
}

TestPolicy marked(int count) {
  TestPolicy test;
  test.mark.emplace().reruns = count;
  return test;
}

ErrorPatterns pattern(const std::string& text) { return *ErrorPatterns::compile({text}); }

// Gives a test the attempts one after another, as long as it is rerun; the last decision.
Decision play(Lifecycle& lifecycle, std::size_t test, const std::vector<RunAttempt>& attempts) {
  Decision decision;
  for (const auto& attempt : attempts) {
    decision = lifecycle.attempt_finished(test, attempt);
    if (!decision.rerun) break;
  }
  return decision;
}

struct FateCase {
  const char* rule;
  RerunPolicy policy;
  TestPolicy test;
  std::vector<RunAttempt> attempts;
  RunFate fate;
  std::size_t made;
};

void PrintTo(const FateCase& value, std::ostream* out) { *out << value.rule; }

std::vector<FateCase> fate_cases() {
  auto only_known = reruns(2);
  only_known.only_known_flaky = true;
  auto only_timeouts = reruns(2);
  only_timeouts.only = pattern("Timeout|boom$");
  auto except_boom = reruns(2);
  except_boom.except = pattern("boom");
  auto known_and_matching = only_known;
  known_and_matching.only = pattern("Timeout");
  auto measure = reruns(3);
  measure.measure = true;
  auto mark_that_matches = marked(1);
  mark_that_matches.mark->only = pattern("boom");
  auto none_by_most = reruns(2);
  none_by_most.most = 1;
  auto hard_failures_only = TestPolicy{};
  hard_failures_only.ledger.failed = 9;
  return {
      {"a pass is not rerun", reruns(2), {}, {kPass}, RunFate::passed, 1},
      {"a failure without a budget fails", reruns(0), {}, {kFail}, RunFate::failed, 1},
      {"a pass after a rerun is flaky", reruns(2), {}, {kFail, kPass, kPass}, RunFate::flaky, 2},
      {"the whole budget is used", reruns(2), {}, {kFail, kFail, kPass}, RunFate::flaky, 3},
      {"no more than the budget is used", reruns(2), {}, {kFail, kFail, kFail, kPass}, RunFate::failed, 3},
      {"the last failure names the fate", reruns(1), {}, {kFail, kError}, RunFate::error, 2},
      {"set-up errors are rerun", reruns(1), {}, {kError, kPass}, RunFate::flaky, 2},
      {"skips are final", reruns(2), {}, {kSkip}, RunFate::skipped, 1},
      {"a skip after a failure excuses nothing", reruns(1), {}, {kFail, kSkip}, RunFate::failed, 2},
      {"a crash is retried within the budget", reruns(1), {}, {kCrash, kPass}, RunFate::flaky, 2},
      {"a crash is not retried without a budget", reruns(0), {}, {kCrash}, RunFate::error, 1},
      {"a mark overrides the budget upwards", reruns(0), marked(2), {kFail, kFail, kPass}, RunFate::flaky, 3},
      {"a mark overrides the budget downwards", reruns(2), marked(0), {kFail, kPass}, RunFate::failed, 1},
      {"only matching errors are rerun", only_timeouts, {}, {kError, kPass}, RunFate::error, 1},
      {"matching errors are rerun", only_timeouts, {}, {kFail, kPass}, RunFate::flaky, 2},
      {"excepted errors are not rerun", except_boom, {}, {kFail, kPass}, RunFate::failed, 1},
      {"other errors than the excepted are", except_boom, {}, {kError, kPass}, RunFate::flaky, 2},
      {"a mark's own pattern goes before", except_boom, mark_that_matches, {kFail, kPass}, RunFate::failed, 1},
      {"the gate stops tests that never flaked", only_known, {}, {kFail, kPass}, RunFate::failed, 1},
      {"the gate lets known flaky tests through", only_known, flaked(1), {kFail, kPass}, RunFate::flaky, 2},
      {"hard failures alone do not qualify", only_known, hard_failures_only, {kFail, kPass}, RunFate::failed, 1},
      {"a mark bypasses the gate", only_known, marked(1), {kFail, kPass}, RunFate::flaky, 2},
      {"the gate composes with patterns", known_and_matching, flaked(1), {kFail, kPass}, RunFate::failed, 1},
      {"quarantine excuses after the reruns", reruns(1), quarantined(), {kFail, kFail}, RunFate::quarantined, 2},
      {"a listed test that recovers is flaky", reruns(1), quarantined(), {kFail, kPass}, RunFate::flaky, 2},
      {"a listed test that passes is a plain pass", reruns(1), quarantined(), {kPass}, RunFate::passed, 1},
      {"a hang is the test's own failure", reruns(0), quarantined(), {kHang}, RunFate::quarantined, 1},
      {"a crash is never excused", reruns(0), quarantined(), {kCrash}, RunFate::error, 1},
      {"nor when it came before", reruns(1), quarantined(), {kCrash, kFail}, RunFate::failed, 2},
      {"measuring uses the whole budget", measure, {}, {kFail, kPass, kPass, kFail}, RunFate::flaky, 4},
      {"measuring reruns no test that passed", measure, {}, {kPass, kPass}, RunFate::passed, 1},
      {"the run's limit of reruns holds", none_by_most, {}, {kFail, kFail, kPass}, RunFate::failed, 2},
  };
}

class LifecycleFates : public testing::TestWithParam<FateCase> {};

TEST_P(LifecycleFates, AreAsTheRuleSays) {
  const auto& given = GetParam();
  Lifecycle lifecycle(given.policy, {given.test});
  const auto decision = play(lifecycle, 0, given.attempts);
  ASSERT_TRUE(decision.settled) << given.rule;
  EXPECT_EQ(decision.settled->fate, given.fate) << given.rule;
  EXPECT_EQ(decision.settled->attempts.size(), given.made) << given.rule;
  EXPECT_TRUE(lifecycle.settled(0));
  EXPECT_EQ(lifecycle.totals().reruns, given.made - 1);
}

INSTANTIATE_TEST_SUITE_P(Rules, LifecycleFates, testing::ValuesIn(fate_cases()));

TEST(Lifecycle, BreakerOpensAfterTenInARowAndLetsEveryTenthTry) {
  Lifecycle lifecycle(reruns(2), std::vector<TestPolicy>(60));
  std::size_t executions = 0;
  std::size_t opened = 0;
  for (std::size_t test = 0; test < 50; ++test) {
    Decision decision;
    do {
      decision = lifecycle.attempt_finished(test, kFail);
      ++executions;
      if (!decision.note.empty()) ++opened;
    } while (decision.rerun);
  }
  // 5 with two reruns, 5 with one, then a trial for every tenth of the other 40.
  EXPECT_EQ(executions, 50U + 10 + 5 + 4);
  EXPECT_EQ(opened, 1U);
  EXPECT_EQ(lifecycle.held_back(), 36U);
  EXPECT_LE(static_cast<double>(executions + 10) / 60, 1.35);
}

TEST(Lifecycle, ARecoveryClosesTheBreaker) {
  Lifecycle lifecycle(reruns(1), std::vector<TestPolicy>(40));
  std::size_t test = 0;
  for (; test < 10; ++test) play(lifecycle, test, {kFail, kFail});
  for (; test < 19; ++test) EXPECT_FALSE(lifecycle.attempt_finished(test, kFail).rerun) << test;
  const auto trial = play(lifecycle, test++, {kFail, kPass});
  EXPECT_EQ(trial.settled->fate, RunFate::flaky);
  EXPECT_NE(trial.note.find("recovered"), std::string::npos);
  EXPECT_TRUE(lifecycle.attempt_finished(test, kFail).rerun);
}

TEST(Lifecycle, KnownFlakyMarkedAndListedTestsPassByTheBreakerAndDoNotCount) {
  std::vector<TestPolicy> tests(10);
  tests.resize(40, flaked(1));
  tests.push_back(marked(1));
  tests.push_back(quarantined());
  Lifecycle lifecycle(reruns(1), tests);
  for (std::size_t test = 10; test < 40; ++test) {
    EXPECT_EQ(play(lifecycle, test, {kFail, kFail}).settled->attempts.size(), 2U);
  }
  for (std::size_t test = 0; test < 10; ++test) {
    EXPECT_EQ(play(lifecycle, test, {kFail, kFail}).settled->attempts.size(), 2U) << "it was closed until now";
  }
  EXPECT_EQ(play(lifecycle, 40, {kFail, kPass}).settled->fate, RunFate::flaky);
  EXPECT_EQ(play(lifecycle, 41, {kFail, kPass}).settled->fate, RunFate::flaky);
}

TEST(Lifecycle, WithoutABreakerEveryFailureUsesItsBudget) {
  auto policy = reruns(2);
  policy.breaker = 0;
  Lifecycle lifecycle(policy, std::vector<TestPolicy>(50));
  for (std::size_t test = 0; test < 50; ++test) {
    EXPECT_EQ(play(lifecycle, test, {kFail, kFail, kFail}).settled->attempts.size(), 3U);
  }
}

// Fifty independent flakes: the breaker must not cost a recovery that would have come.
TEST(Lifecycle, IndependentFlakesRecoverAsOftenAsWithoutABreaker) {
  const auto recovered = [](int breaker, unsigned seed) {
    auto policy = reruns(2);
    policy.breaker = breaker;
    Lifecycle lifecycle(policy, std::vector<TestPolicy>(50));
    std::size_t count = 0;
    for (std::size_t test = 0; test < 50; ++test) {
      std::mt19937 draws(seed * 1000 + static_cast<unsigned>(test));  // the same attempts with and without a breaker
      std::bernoulli_distribution fails(0.3);
      Decision decision;
      do decision = lifecycle.attempt_finished(test, fails(draws) ? kFail : kPass);
      while (decision.rerun);
      if (decision.settled->fate == RunFate::flaky) ++count;
    }
    return count;
  };
  for (unsigned seed = 0; seed < 200; ++seed) EXPECT_EQ(recovered(10, seed), recovered(0, seed)) << seed;
}

TEST(Lifecycle, QuarantinedFailuresDoNotCountTowardsMaxfail) {
  auto policy = reruns(0);
  policy.maxfail = 2;
  Lifecycle lifecycle(policy, {quarantined(), quarantined(), {}, {}, {}});
  EXPECT_FALSE(lifecycle.attempt_finished(0, kFail).stop);
  EXPECT_FALSE(lifecycle.attempt_finished(1, kFail).stop);
  EXPECT_FALSE(lifecycle.attempt_finished(2, kFail).stop);
  EXPECT_TRUE(lifecycle.attempt_finished(3, kFail).stop);
  EXPECT_EQ(lifecycle.totals().not_run, 1U);
}

TEST(Lifecycle, AnExpiredEntryStopsExcusingAndSaysSo) {
  TestPolicy test;
  test.expired = "its quarantine expired on 2026-01-31";
  Lifecycle lifecycle(reruns(0), {test});
  const auto settled = *lifecycle.attempt_finished(0, kFail).settled;
  EXPECT_EQ(settled.fate, RunFate::failed);
  EXPECT_EQ(settled.note, "its quarantine expired on 2026-01-31");
}

TEST(Lifecycle, ATestThatIsGivenUpFailsByItsLastAttempt) {
  Lifecycle lifecycle(reruns(3), {TestPolicy{}});
  ASSERT_TRUE(lifecycle.attempt_finished(0, kFail).rerun);
  EXPECT_TRUE(lifecycle.open(0));
  EXPECT_EQ(lifecycle.give_up(0).fate, RunFate::failed);
  EXPECT_EQ(lifecycle.totals().failed, 1U);
}

TEST(Lifecycle, MarksHaveTheirOwnDelay) {
  auto policy = reruns(1);
  policy.delay_seconds = 1;
  auto test = marked(1);
  test.mark->delay_seconds = 0.25;
  Lifecycle lifecycle(policy, {TestPolicy{}, test});
  EXPECT_DOUBLE_EQ(lifecycle.attempt_finished(0, kFail).delay_seconds, 1);
  EXPECT_DOUBLE_EQ(lifecycle.attempt_finished(1, kFail).delay_seconds, 0.25);
}

TEST(Lifecycle, TriesOfTheFrameworkItselfCountAsAttemptsAndDecideNothing) {
  Lifecycle lifecycle(reruns(2), std::vector<TestPolicy>(2));
  lifecycle.attempt_followed(0, kFail);
  const auto recovered = lifecycle.attempt_finished(0, kPass);
  ASSERT_TRUE(recovered.settled);
  EXPECT_EQ(recovered.settled->fate, RunFate::flaky);
  lifecycle.attempt_followed(1, kFail);
  lifecycle.attempt_followed(1, kFail);
  const auto failed = lifecycle.attempt_finished(1, kFail);
  ASSERT_TRUE(failed.settled) << "three attempts are the whole budget of two reruns";
  EXPECT_EQ(failed.settled->attempts.size(), 3U);
  EXPECT_EQ(lifecycle.totals().reruns, 3U);
}

TEST(Lifecycle, ATestThatRanOnceMoreUnaskedIsDecidedAnew) {
  Lifecycle lifecycle(reruns(2), std::vector<TestPolicy>(1));
  auto first = lifecycle.attempt_finished(0, kPass);
  EXPECT_EQ(lifecycle.totals().passed, 1U);
  lifecycle.reopen(std::move(*first.settled));
  EXPECT_EQ(lifecycle.totals().passed, 0U);
  EXPECT_TRUE(lifecycle.open(0));
  EXPECT_TRUE(lifecycle.attempt_finished(0, kFail).rerun);
  const auto last = lifecycle.attempt_finished(0, kFail);
  ASSERT_TRUE(last.settled);
  EXPECT_EQ(last.settled->fate, RunFate::failed);
  EXPECT_EQ(last.settled->attempts.size(), 3U);
  EXPECT_EQ(lifecycle.totals().failed, 1U);
}

TEST(Lifecycle, TestsThatAreFoundLaterAreTestsLikeOthers) {
  Lifecycle lifecycle(reruns(1), {TestPolicy{}});
  const auto late = lifecycle.add(flaked(3));
  EXPECT_EQ(late, 1U);
  EXPECT_EQ(lifecycle.known_flaky(), 1U);
  EXPECT_EQ(lifecycle.totals().not_run, 2U);
  EXPECT_TRUE(lifecycle.attempt_finished(late, kFail).rerun);
  EXPECT_EQ(lifecycle.attempt_finished(late, kPass).settled->before.flaky, 3U);
}

TEST(ErrorPatterns, NameThePatternThatCannotBeRead) {
  const auto bad = ErrorPatterns::compile({"fine", "a(b"});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, ErrorKind::usage);
  EXPECT_NE(bad.error().message.find("a(b"), std::string::npos);
}

TEST(ErrorPatterns, AreLinearWhateverTheTextHolds) {
  const auto patterns = pattern("(a*)*b");
  EXPECT_FALSE(patterns.found_in(std::string(200'000, 'a')));
}

}  // namespace
}  // namespace flakestat::dispatch
