// Hunts with a target: --settle, --rule-out, --max-time, narrowed runs.
#include <gmock/gmock.h>

#include <algorithm>

#include "run/hunt_test_world.hpp"

namespace flakestat::run {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class HuntSettleTest : public HuntWorld {
 protected:
  HuntSettleTest() {
    plan_.settle = true;
    plan_.command = {"suite", "{junit}", "{tests}"};
    plan_.selection = Selection{plan_.command, "{name}", ","};
    plan_.runs = 10;
  }

  /// A suite of tests by what they do: it runs those that its command names, or all.
  HuntResult hunt_suite(const std::map<std::string, std::function<bool(int run)>>& fails) {
    return hunt([&](int run) {
      const std::vector<std::string> named(argv_.begin() + 2, argv_.end());
      std::string lines;
      bool failed = false;
      for (const auto& [name, test_fails] : fails) {
        if (!named.empty() && std::find(named.begin(), named.end(), name) == named.end()) continue;
        failed = failed || test_fails(run);
        lines += (test_fails(run) ? "fail " : "pass ") + name + "\n";
      }
      report(run, lines);
      return exits(failed ? 1 : 0);
    });
  }

  /// The run that goes on was asked for some tests, and not for this one.
  [[nodiscard]] bool lacks(const std::string& name) const {
    const auto begin = argv_.begin() + 2;
    return begin != argv_.end() && std::find(begin, argv_.end(), name) == argv_.end();
  }
  /// Names that a run was asked for.
  [[nodiscard]] std::vector<std::string> named(std::size_t run) const {
    const auto& argv = specs_.at(run - 1).argv;
    return {argv.begin() + 2, argv.end()};
  }

  [[nodiscard]] const SettledTest& settled(const HuntResult& result, const std::string& name) const {
    const auto found = std::find_if(result.tests.begin(), result.tests.end(),
                                    [&](const SettledTest& each) { return each.tally.test.name == name; });
    EXPECT_NE(found, result.tests.end()) << name;
    return *found;
  }
};

bool never(int) { return false; }
bool always(int) { return true; }
bool in_run_2(int run) { return run == 2; }
bool in_run_3(int run) { return run == 3; }

TEST_F(HuntSettleTest, ATestIsAskedForNoMoreAfterItsFirstDisagreement) {
  const auto result = hunt_suite({{"a", in_run_2}, {"b", never}, {"c", in_run_3}});
  EXPECT_THAT(named(2), IsEmpty());
  EXPECT_THAT(named(3), ElementsAre("b", "c"));
  EXPECT_THAT(named(4), ElementsAre("b", "c"));  // what run 3 showed may be due to what it left out
  EXPECT_THAT(named(5), ElementsAre("b"));
  EXPECT_EQ(settled(result, "a").tally.total(), (Tally{1, 1}));
  EXPECT_EQ(settled(result, "b").tally.total(), (Tally{10, 0}));
  EXPECT_EQ(settled(result, "c").tally.total(), (Tally{3, 1}));
  EXPECT_EQ(result.narrowed, 8);
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(HuntSettleTest, TheHuntEndsWhenEveryTestIsSettled) {
  const auto result = hunt_suite({{"a", in_run_2}, {"b", in_run_3}});
  EXPECT_THAT(result.runs, SizeIs(4));
  EXPECT_TRUE(result.settled);
}

TEST_F(HuntSettleTest, ATestThatNeedsOneThatWasLeftOutIsNoFlake) {
  const auto result = hunt_suite({{"a", in_run_2}, {"b", [this](int) { return lacks("a"); }}, {"c", never}});
  for (std::size_t run = 3; run <= 10; ++run) EXPECT_THAT(named(run), ElementsAre("b", "c"));
  EXPECT_THAT(result.runs, SizeIs(10));
  EXPECT_FALSE(result.settled);
  ASSERT_THAT(result.unproved, SizeIs(1));
  EXPECT_EQ(result.unproved.front().test.name, "b");
  EXPECT_THAT(result.warnings, Contains(HasSubstr("it may depend on a test that was left out")));
  for (const auto& each : evidence_) {
    EXPECT_THAT(each.in_doubt, SizeIs(each.run >= 3 ? 1 : 0)) << each.run;
  }
}

TEST_F(HuntSettleTest, ATestThatOnlyFailsBehindAnotherIsNoFlake) {
  const auto result = hunt_suite({{"a", in_run_2}, {"b", [this](int) { return !lacks("a"); }}, {"c", never}});
  ASSERT_THAT(result.unproved, SizeIs(1));
  EXPECT_EQ(result.unproved.front().test.name, "b");
}

TEST_F(HuntSettleTest, ADoubtEndsWhenNarrowedRunsShowBoth) {
  const auto result =
      hunt_suite({{"a", in_run_2}, {"b", [this](int run) { return lacks("a") && run != 7; }}, {"c", never}});
  EXPECT_THAT(result.unproved, IsEmpty());
  EXPECT_THAT(named(7), ElementsAre("b", "c"));
  EXPECT_THAT(named(8), ElementsAre("c"));
  EXPECT_EQ(settled(result, "b").standing, Standing::disagreed);
}

TEST_F(HuntSettleTest, WithoutSettleEveryRunIsOfEveryTest) {
  plan_.settle = false;
  const auto result = hunt_suite({{"a", in_run_2}, {"b", in_run_3}});
  EXPECT_THAT(result.runs, SizeIs(10));
  for (std::size_t run = 1; run <= 10; ++run) EXPECT_THAT(named(run), IsEmpty()) << run;
  EXPECT_FALSE(result.settled);
}

TEST_F(HuntSettleTest, WithoutASelectionTheWholeSuiteRunsUntilAllIsSettled) {
  plan_.selection.reset();
  plan_.command = {"suite", "{junit}"};
  const auto result = hunt_suite({{"a", in_run_2}, {"b", in_run_3}, {"c", in_run_3}});
  EXPECT_THAT(result.runs, SizeIs(3));
  EXPECT_EQ(result.narrowed, 0);
}

TEST_F(HuntSettleTest, RuleOutCallsFourteenFailuresBrokenAndAsksNoMore) {
  plan_.rule_out = 0.05;
  plan_.runs = 59;
  const auto result = hunt_suite({{"a", always}, {"b", never}});
  EXPECT_EQ(settled(result, "a").tally.total(), (Tally{0, 14}));
  EXPECT_EQ(settled(result, "a").standing, Standing::broken);
  EXPECT_EQ(settled(result, "b").tally.total(), (Tally{59, 0}));
  EXPECT_EQ(settled(result, "b").standing, Standing::clean);
  EXPECT_THAT(named(15), ElementsAre("b"));
  EXPECT_TRUE(result.settled);
}

TEST_F(HuntSettleTest, WhatIsNotSettledIsLeftOpenWithTheRunsThatItStillNeeds) {
  plan_.rule_out = 0.05;
  plan_.runs = 20;
  const auto result = hunt_suite({{"a", always}, {"b", never}});
  EXPECT_EQ(settled(result, "b").standing, Standing::open);
  EXPECT_EQ(settled(result, "b").more_runs, 39);
  EXPECT_FALSE(result.settled);
}

TEST_F(HuntSettleTest, MaxTimeBeginsNoRunThatWouldEndTooLate) {
  plan_.max_time = 450ms;
  const auto result = hunt_suite({{"a", never}});
  EXPECT_THAT(result.runs, SizeIs(4)) << "a run takes 100 ms, and the fifth would end after 500";
  EXPECT_TRUE(result.out_of_time);
}

TEST_F(HuntSettleTest, MaxTimeLetsTheFirstRunBeMade) {
  plan_.max_time = 1ms;
  const auto result = hunt_suite({{"a", never}});
  EXPECT_THAT(result.runs, SizeIs(1));
  EXPECT_TRUE(result.out_of_time);
}

TEST_F(HuntSettleTest, AHuntThatMadeEveryRunIsNotOutOfTime) {
  plan_.runs = 2;
  plan_.max_time = 200ms;
  EXPECT_FALSE(hunt_suite({{"a", never}}).out_of_time);
}

TEST_F(HuntSettleTest, OnlyTestsThatAreAskedAboutAreWaitedForAndNamed) {
  plan_.asks = [](const TestChoice& test) { return test.name == "b"; };
  const auto result = hunt_suite({{"a", never}, {"b", in_run_3}, {"c", never}});
  EXPECT_THAT(result.runs, SizeIs(4));
  EXPECT_THAT(named(2), IsEmpty());
  EXPECT_THAT(named(3), ElementsAre("b"));
  ASSERT_THAT(result.tests, SizeIs(1));
  EXPECT_EQ(result.tests[0].tally.test.name, "b");
}

TEST_F(HuntSettleTest, ATestThatTheFirstRunLostIsNotForgotten) {
  plan_.asks = [](const TestChoice& test) { return test.name != "a"; };
  const auto result = hunt([&](int run) {
    if (argv_.size() > 2) report(run, "pass b pass c");
    else report(run, run == 1 ? "pass a pass b" : "pass a pass b pass c");
    return exits(0);
  });
  EXPECT_EQ(settled(result, "c").tally.total(), (Tally{9, 0}));
}

TEST_F(HuntSettleTest, AFilterThatSelectsNothingIsAProblemNotACleanHunt) {
  plan_.asks = [](const TestChoice&) { return false; };
  const auto result = hunt_suite({{"a", never}});
  EXPECT_THAT(result.runs, SizeIs(3));
  ASSERT_TRUE(result.problem);
  EXPECT_THAT(result.problem->message, HasSubstr("--filter selects no test"));
}

TEST_F(HuntSettleTest, ARunnerThatDoesNotKnowTheNamesAccusesNobody) {
  const auto result = hunt([&](int run) {
    const bool narrowed = argv_.size() > 2;
    if (narrowed) return exits(4);
    report(run, run == 2 ? "fail a pass b" : "pass a pass b");
    return exits(run == 2 ? 1 : 0);
  });
  EXPECT_EQ(result.narrowed, 2);
  EXPECT_THAT(stored(3), IsEmpty());
  EXPECT_THAT(stored(4), IsEmpty());
  EXPECT_THAT(stored(1), Not(Contains(HasSubstr("(command)")))) << "nothing says that the command is flaky";
  EXPECT_THAT(stored(5), ElementsAre("pass a", "pass b")) << "the whole suite again";
  EXPECT_THAT(warnings(result), HasSubstr("runs 3, 4: asked for some tests alone, such as \"b\""));
  EXPECT_THAT(warnings(result), HasSubstr("nothing of it is believed"));
  EXPECT_THAT(warnings(result), Not(HasSubstr("suite-level")));
}

TEST_F(HuntSettleTest, ANarrowedRunThatCrashesFailsTheCommand) {
  const auto result = hunt([&](int run) {
    if (argv_.size() > 2 && run == 3) return ends(sys::ChildEnd::signalled, 11);
    report(run, run == 2 ? "fail a pass b" : "pass a pass b");
    return exits(run == 2 ? 1 : 0);
  });
  EXPECT_THAT(stored(3), ElementsAre("fail (command)"));
  EXPECT_THAT(result.warnings, Each(Not(HasSubstr("asked for some tests alone"))));
}

TEST_F(HuntSettleTest, SkipsOfANarrowedRunAreNotStored) {
  hunt([&](int run) {
    if (argv_.size() > 2) report(run, "skip a pass b");
    else report(run, run == 2 ? "fail a pass b" : "pass a pass b");
    return exits(run == 2 ? 1 : 0);
  });
  EXPECT_THAT(stored(3), ElementsAre("pass b"));
  const auto narrowed =
      std::find_if(evidence_.begin(), evidence_.end(), [](const auto& each) { return each.run == 3; });
  ASSERT_NE(narrowed, evidence_.end());
  EXPECT_TRUE(narrowed->narrowed);
}

TEST_F(HuntSettleTest, ExitCodesAloneSettleToo) {
  plan_.junit.clear();
  plan_.command = {"suite"};
  plan_.selection.reset();
  const auto result = hunt([](int run) { return exits(run == 3 ? 1 : 0); });
  EXPECT_THAT(result.runs, SizeIs(3));
  EXPECT_TRUE(result.settled);
}

TEST_F(HuntSettleTest, UntilFailStopsAtTheFirstDisagreementAllTheSame) {
  plan_.until_fail = true;
  EXPECT_THAT(hunt_suite({{"a", in_run_2}, {"b", never}}).runs, SizeIs(2));
}

TEST_F(HuntSettleTest, ProgressCountsTheRunsThatMayStillCome) {
  plan_.rule_out = 0.05;
  plan_.runs = 59;
  hunt_suite({{"a", always}});
  ASSERT_GE(progress_.size(), 2U);
  EXPECT_EQ(progress_.front().total, 59);
  EXPECT_EQ(progress_.back().total, 14);
}

}  // namespace
}  // namespace flakestat::run
