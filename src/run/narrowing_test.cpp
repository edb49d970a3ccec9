#include "run/narrowing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/hunt_test_world.hpp"

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Outcomes outcomes(const std::vector<std::string>& runs) {
  Outcomes found;
  for (const auto& run : runs) {
    const auto cases = test_cases(run);
    const auto results = outcomes_of(cases);
    found.introduce(results, cases);
    found.add(RunMode::alone, results);
  }
  return found;
}

std::vector<std::string> names(const std::vector<TestChoice>& tests) {
  std::vector<std::string> out;
  for (const auto& test : tests) out.push_back(test.name);
  return out;
}

Asked asked(const std::vector<std::string>& runs, const SettlingRule& rule = {3, 3}, const Asks& asks = {}) {
  return asked_tests(outcomes(runs), asks, rule);
}

TEST(Asked, OpenTestsAreThoseThatAnotherRunMayChange) {
  const auto found = asked({"pass b fail a pass c", "pass b fail a fail c"});
  EXPECT_THAT(names(found.open), ElementsAre("a", "b"));
  EXPECT_EQ(found.asked, 3U);
  EXPECT_FALSE(found.settled());
}

TEST(Asked, ADisagreementEnoughPassesOrEnoughFailuresSettle) {
  EXPECT_TRUE(asked({"pass a fail b pass c", "pass a fail b fail c", "pass a fail b pass c"}).settled());
}

TEST(Asked, NothingIsSettledBeforeATestWasSeen) {
  EXPECT_FALSE(asked({}).settled());
  EXPECT_FALSE(asked({"skip a", "skip a", "skip a"}).settled());
}

TEST(Asked, ASkippedTestIsNotWaitedFor) { EXPECT_TRUE(asked({"pass a skip b", "fail a skip b"}).settled()); }

TEST(Asked, OnlyTestsThatTheUserAsksAboutAreWaitedFor) {
  const auto found =
      asked({"pass a pass b", "fail a pass b"}, {3, 3}, [](const auto& test) { return test.name == "a"; });
  EXPECT_TRUE(found.settled());
  EXPECT_EQ(found.known, 2U);
}

class NarrowingTest : public ::testing::Test {
 protected:
  NarrowingTest() : selection_(Selection{{"t", "{tests}"}, "{name}", ","}) {}

  std::vector<std::string> choose(const std::vector<std::string>& runs) {
    return names(narrowing_.choose(asked(runs), 3, "/r.xml"));
  }
  std::vector<std::string> check(int run, const std::vector<TestChoice>& tests, const std::string& lines) {
    auto cases = test_cases(lines);
    narrowing_.check(run, tests, was_ended_, cases);
    std::vector<std::string> left;
    for (const auto& each : cases) left.push_back(each.name);
    return left;
  }

  std::optional<Selection> selection_;
  Narrowing narrowing_{selection_};
  bool was_ended_ = false;
  const TestChoice a_{"s", "s", "a", ""};
  const TestChoice b_{"s", "s", "b", ""};
};

TEST_F(NarrowingTest, TheOpenTestsAloneAreRunAgain) {
  EXPECT_THAT(choose({"pass a pass b pass c", "pass a fail b pass c"}), ElementsAre("a", "c"));
}

TEST_F(NarrowingTest, NothingIsSelectedAsLongAsEveryTestIsOpen) {
  EXPECT_THAT(choose({"pass a pass b", "pass a pass b"}), IsEmpty());
}

TEST_F(NarrowingTest, WithoutAWayToSelectTheWholeSuiteRuns) {
  selection_.reset();
  EXPECT_THAT(choose({"pass a pass b", "pass a fail b"}), IsEmpty());
  EXPECT_THAT(narrowing_.warnings(), IsEmpty());
}

TEST_F(NarrowingTest, AnOpenTestThatCannotBeNamedMakesTheWholeSuiteRunAndIsSaidOnce) {
  EXPECT_THAT(choose({"pass -x pass b", "pass -x fail b"}), IsEmpty());
  EXPECT_THAT(choose({"pass @y pass b", "pass @y fail b"}), IsEmpty());
  EXPECT_THAT(narrowing_.warnings(), ElementsAre(HasSubstr("\"-x\" would be taken for an option")));
}

TEST_F(NarrowingTest, SkipsOfANarrowedRunAreNoResults) {
  EXPECT_THAT(check(3, {a_, b_}, "pass a skip c pass b skip d"), ElementsAre("a", "b"));
  EXPECT_THAT(narrowing_.warnings(), IsEmpty());
}

TEST_F(NarrowingTest, ATestThatWasAskedForAndDidNotRunIsWarnedOf) {
  EXPECT_THAT(check(3, {a_, b_}, "pass a skip b"), ElementsAre("a"));
  EXPECT_THAT(narrowing_.warnings(), ElementsAre(HasSubstr("run 3: asked for some tests alone, such as \"b\"")));
  EXPECT_THAT(choose({"pass a pass b pass c", "pass a fail b pass c"}), Not(IsEmpty())) << "once may be a crash";
}

TEST_F(NarrowingTest, ARunThatWasEndedHadNoTimeForEveryTest) {
  was_ended_ = true;
  EXPECT_THAT(check(3, {a_, b_}, "pass a skip b"), ElementsAre("a"));
  EXPECT_THAT(narrowing_.warnings(), IsEmpty());
}

TEST_F(NarrowingTest, AfterTwoRunsThatLostTestsTheWholeSuiteRunsAgain) {
  check(3, {a_}, "");
  check(5, {a_}, "pass b");
  EXPECT_THAT(choose({"pass a pass b pass c", "pass a fail b pass c"}), IsEmpty());
  EXPECT_THAT(narrowing_.warnings(), ElementsAre(HasSubstr("runs 3, 5")));
  EXPECT_THAT(narrowing_.warnings(), ElementsAre(HasSubstr("the whole suite was run again")));
}

}  // namespace
}  // namespace flakestat::run
