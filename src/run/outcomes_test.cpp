#include "run/outcomes.hpp"

#include "run/hunt_test_world.hpp"

namespace flakestat::run {
namespace {

void add(Outcomes& outcomes, RunMode mode, const std::string& lines) {
  const auto cases = test_cases(lines);
  const auto run = outcomes_of(cases);
  outcomes.introduce(run, cases);
  outcomes.add(mode, run);
}

bool disagree(const std::vector<std::string>& runs) {
  Outcomes outcomes;
  for (const auto& run : runs) add(outcomes, RunMode::alone, run);
  return outcomes.disagreed();
}

TEST(Outcomes, PassAndFailureOfOneTestDisagree) {
  EXPECT_TRUE(disagree({"pass a pass b", "pass a fail b"}));
  EXPECT_TRUE(disagree({"error a", "skip a", "pass a"}));
}

TEST(Outcomes, OtherPairsDoNot) {
  EXPECT_FALSE(disagree({"pass a fail b", "pass a fail b"}));
  EXPECT_FALSE(disagree({"fail a", "error a"}));
  EXPECT_FALSE(disagree({"pass a", "skip a", "pass a"}));
}

TEST(Outcomes, AFlakyPassDisagreesWithItself) { EXPECT_TRUE(disagree({"flaky a"})); }

TEST(Outcomes, FailedAttemptsBeforeAPassDisagree) { EXPECT_TRUE(disagree({"fail a fail a pass a"})); }

TEST(Outcomes, EmptyAttemptsBeforeAFailureAreOnlyAFailure) {
  EXPECT_FALSE(disagree({"pass a pass a fail a"}));
  EXPECT_TRUE(disagree({"pass a pass a fail a", "pass a"}));
}

TestTally tally_of(const std::vector<std::pair<RunMode, std::string>>& runs) {
  Outcomes outcomes;
  for (const auto& [mode, run] : runs) add(outcomes, mode, run);
  return outcomes.tests().begin()->second;
}

TEST(Outcomes, RunsAloneAndBesideOthersAreCountedApart) {
  const auto tally = tally_of({{RunMode::alone, "pass a"}, {RunMode::beside, "fail a"}, {RunMode::beside, "pass a"}});
  EXPECT_EQ(tally.alone, (Tally{1, 0}));
  EXPECT_EQ(tally.beside, (Tally{1, 1}));
  EXPECT_TRUE(tally.doubtful());
  EXPECT_FALSE(tally.isolation_sensitive());
}

TEST(Outcomes, ADisagreementAloneTakesTheDoubtAway) {
  const auto tally = tally_of({{RunMode::alone, "pass a"}, {RunMode::beside, "fail a"}, {RunMode::alone, "fail a"}});
  EXPECT_FALSE(tally.doubtful());
}

TEST(Outcomes, OneResultAloneAndTheOtherBesideOthersIsIsolation) {
  const auto tally = tally_of({{RunMode::alone, "fail a"}, {RunMode::beside, "pass a"}, {RunMode::beside, "pass a"}});
  EXPECT_TRUE(tally.isolation_sensitive());
}

TEST(Outcomes, ARunThatDidBothCountsForBoth) {
  EXPECT_EQ(tally_of({{RunMode::alone, "flaky a"}}).alone, (Tally{1, 1}));
}

TEST(Outcomes, DisagreeingTestsAreListedOnceInTheOrderInWhichTheyWereSeen) {
  Outcomes outcomes;
  for (const auto* run : {"pass a pass b pass c", "pass a fail b pass c", "fail a pass b pass c", "pass a pass b"}) {
    add(outcomes, RunMode::alone, run);
  }
  EXPECT_EQ(outcomes.disagreeing(), (std::vector{test_id("s", "s", "b"), test_id("s", "s", "a")}));
}

TEST(OutcomesTest, ADisagreementGoesWithTheRunThatMadeIt) {
  const TestId id{7};
  const std::vector<Case> cases(1);
  const std::vector<TestOutcome> passed{{id, RunOutcome::passed, 0}};
  const std::vector<TestOutcome> failed{{id, RunOutcome::failed, 0}};
  Outcomes outcomes;
  outcomes.introduce(passed, cases);
  outcomes.add(RunMode::alone, passed);
  outcomes.add(RunMode::alone, failed);
  EXPECT_TRUE(outcomes.disagreed());
  outcomes.remove(RunMode::alone, failed);
  EXPECT_FALSE(outcomes.disagreed());
  EXPECT_EQ(outcomes.tests().at(id).total(), (Tally{1, 0}));
  outcomes.add(RunMode::alone, failed);
  EXPECT_TRUE(outcomes.disagreed());
  EXPECT_EQ(outcomes.disagreeing().size(), 1U) << "it is named once";
}

}  // namespace
}  // namespace flakestat::run
