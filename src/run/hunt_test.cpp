#include "run/hunt.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <filesystem>

#include "run/hunt_test_world.hpp"
#include "run/suite_level.hpp"

namespace flakestat::run {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using HuntTest = HuntWorld;

TEST_F(HuntTest, EveryRunIsMadeAndItsCasesAreStoredUnderItsNumber) {
  const auto result = hunt([&](int run) {
    report(run, run == 2 ? "pass a fail b" : "pass a pass b");
    return exits(run == 2 ? 1 : 0);
  });
  EXPECT_THAT(result.runs, SizeIs(4));
  EXPECT_THAT(stored(1), ElementsAre("pass a", "pass b"));
  EXPECT_THAT(stored(2), ElementsAre("pass a", "fail b"));
  EXPECT_THAT(stored(4), ElementsAre("pass a", "pass b"));
  EXPECT_TRUE(result.disagreed);
  EXPECT_FALSE(result.problem);
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(HuntTest, PlaceholdersAndTheVariableCarryTheRun) {
  plan_.command = {"suite", "--out={junit}", "--seed={run}", "{other}"};
  plan_.runs = 2;
  hunt([&](int run) {
    report(run, "pass a");
    return exits(0);
  });
  ASSERT_THAT(specs_, SizeIs(2));
  EXPECT_THAT(specs_[1].argv, ElementsAre("suite", "--out=" + folder_.file("out/2.txt"), "--seed=2", "{other}"));
  EXPECT_THAT(specs_[1].environment, ElementsAre(std::pair("FLAKESTAT_RUN", "2")));
  EXPECT_EQ(specs_[1].directory, folder_.path());
}

TEST_F(HuntTest, TheReportsFolderIsThereBeforeTheRun) {
  bool there = false;
  plan_.runs = 1;
  hunt([&](int run) {
    there = std::filesystem::is_directory(folder_.path() / "out");
    report(run, "pass a");
    return exits(0);
  });
  EXPECT_TRUE(there);
}

TEST_F(HuntTest, OneFixedPathIsReadAfterEveryRun) {
  plan_.command = {"suite"};
  plan_.junit = "report.txt";
  const auto result = hunt([&](int run) {
    folder_.write("report.txt", run == 1 ? "fail a end end" : "pass a end end");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_THAT(stored(1), ElementsAre("fail a"));
  EXPECT_THAT(stored(2), ElementsAre("pass a"));
  EXPECT_TRUE(result.disagreed);
}

TEST_F(HuntTest, TheReportOfAnEarlierRunIsNeverReadForThisOne) {
  plan_.command = {"suite"};
  plan_.junit = "report.txt";
  const auto result = hunt([&](int run) {
    if (run != 3) folder_.write("report.txt", "pass a end end");
    return exits(0);
  });
  EXPECT_EQ(result.runs[2].report, ReportState::missing);
  EXPECT_EQ(result.runs[2].worth, RunWorth::unsound);
  EXPECT_THAT(stored(3), ElementsAre("fail (command)"));
  EXPECT_THAT(stored(2), ElementsAre("pass a", "pass (command)"));
  EXPECT_THAT(warnings(result), HasSubstr("run 3: exit code 0, no report"));
}

TEST_F(HuntTest, SeveralReportsOfARunAreOneSetOfCases) {
  plan_.command = {"mvn", "test"};
  plan_.junit = "target/**/TEST-*.txt";
  plan_.runs = 2;
  const auto result = hunt([&](int) {
    folder_.write("target/a/TEST-1.txt", "pass a end end");
    folder_.write("target/b/c/TEST-2.txt", "fail b end end");
    folder_.write("target/b/c/TEST-summary.txt", "root companion");
    return exits(1);
  });
  EXPECT_THAT(stored(2), ElementsAre("pass a", "fail b"));
  EXPECT_EQ(result.runs[1].counts.tests, 2U);
  EXPECT_EQ(evidence_[0].summary.counts.failures, 1U);
}

TEST_F(HuntTest, ASingleFileThatIsNoReportIsNamedWithItsRoot) {
  const auto result = hunt([&](int run) {
    report(run, run == 2 ? "root html" : "pass a");
    return exits(0);
  });
  EXPECT_EQ(result.runs[1].report, ReportState::unreadable);
  EXPECT_THAT(result.runs[1].report_problem, HasSubstr("its root is <html>"));
  EXPECT_THAT(stored(2), ElementsAre("fail (command)"));
}

TEST_F(HuntTest, AnEmptyReportIsNone) {
  const auto result = hunt([&](int run) {
    if (run == 2) folder_.write("out/2.txt", "");
    else report(run, "pass a");
    return exits(0);
  });
  EXPECT_EQ(result.runs[1].report, ReportState::empty);
  EXPECT_THAT(stored(2), ElementsAre("fail (command)"));
}

TEST_F(HuntTest, ACutOffReportIsNone) {
  const auto result = hunt([&](int run) {
    report(run, "pass a", run != 2);
    return exits(0);
  });
  EXPECT_EQ(result.runs[1].report, ReportState::cut_off);
  EXPECT_THAT(stored(2), ElementsAre("fail (command)"));
  EXPECT_THAT(warnings(result), HasSubstr("cut off at byte"));
}

TEST_F(HuntTest, ATimedOutRunIsReadAsFarAsItGotAndFailsTheCommand) {
  plan_.timeout = 5s;
  const auto result = hunt([&](int run) {
    report(run, run == 2 ? "pass a" : "pass a pass b", run != 2);
    return run == 2 ? ends(sys::ChildEnd::timed_out) : exits(0);
  });
  EXPECT_EQ(specs_[1].limits.timeout, 5s);
  EXPECT_EQ(result.runs[1].worth, RunWorth::partial);
  EXPECT_THAT(stored(2), ElementsAre("pass a", "fail (command)"));
  EXPECT_THAT(warnings(result), HasSubstr("run 2: timed out"));
  EXPECT_TRUE(evidence_.front().run != 2 || evidence_.front().partial);
}

TEST_F(HuntTest, AKilledRunIsReadAsFarAsItGot) {
  hunt([&](int run) {
    report(run, run == 2 ? "fail a" : "pass a pass b", run != 2);
    return run == 2 ? ends(sys::ChildEnd::signalled, 9) : exits(0);
  });
  EXPECT_THAT(stored(2), ElementsAre("fail a", "fail (command)"));
}

TEST_F(HuntTest, EndingTheSameWithoutAFailingCaseInEveryRunCounts) {
  const auto result = hunt([&](int run) {
    report(run, "pass a");
    return exits(2);
  });
  EXPECT_THAT(stored(1), ElementsAre("pass a"));
  EXPECT_THAT(stored(4), ElementsAre("pass a"));
  EXPECT_EQ(result.runs[0].worth, RunWorth::tolerated);
  EXPECT_FALSE(result.disagreed);
  EXPECT_THAT(warnings(result), HasSubstr("runs 1-4: exit code 2 without a failing case; every run is like that"));
}

TEST_F(HuntTest, NonZeroWithoutAFailingCaseInSomeRunsIsNotBelieved) {
  const auto result = hunt([&](int run) {
    report(run, "pass a");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_THAT(stored(1), ElementsAre("fail (command)"));
  EXPECT_THAT(stored(2), ElementsAre("pass a", "pass (command)"));
  EXPECT_EQ(result.runs[0].worth, RunWorth::unsound);
  EXPECT_TRUE(result.disagreed);
}

TEST_F(HuntTest, AShortReportInSomeRunsIsNotBelieved) {
  const auto result = hunt([&](int run) {
    report(run, run % 2 == 1 ? "pass a" : "pass a pass b");
    return exits(0);
  });
  EXPECT_THAT(stored(1), ElementsAre("fail (command)"));
  EXPECT_THAT(stored(2), ElementsAre("pass a", "pass b", "pass (command)"));
  EXPECT_THAT(stored(3), ElementsAre("fail (command)"));
  EXPECT_THAT(warnings(result), HasSubstr("runs 1, 3: lacks 1 test that other runs have"));
}

TEST_F(HuntTest, TestsThatDidNotRunAfterAFailureCostNothing) {
  const auto result = hunt([&](int run) {
    report(run, run == 2 ? "fail a" : "pass a pass b");
    return exits(run == 2 ? 1 : 0);
  });
  EXPECT_THAT(stored(2), ElementsAre("fail a"));
  EXPECT_THAT(warnings(result), HasSubstr("run 2: up to 1 test did not run after a failure"));
}

TEST_F(HuntTest, RunsThatAreKnownToBeWholeAreStoredAsTheHuntGoes) {
  hunt([&](int run) {
    report(run, "pass a");
    return exits(0);
  });
  EXPECT_THAT(order_,
              ElementsAre("ended 1", "stored 1", "stored 2", "ended 2", "stored 3", "ended 3", "stored 4", "ended 4"));
}

TEST_F(HuntTest, AFailingRunIsStoredAtOnce) {
  plan_.runs = 1;
  hunt([&](int run) {
    report(run, "fail a");
    return exits(1);
  });
  EXPECT_THAT(order_, ElementsAre("stored 1", "ended 1"));
}

TEST_F(HuntTest, NoRunIsStoredTwice) {
  hunt([&](int run) {
    report(run, run == 3 ? "pass a" : "pass a pass b");
    return exits(0);
  });
  EXPECT_THAT(stored(1), ElementsAre("pass a", "pass b", "pass (command)"));
  EXPECT_THAT(stored(4), ElementsAre("pass a", "pass b", "pass (command)"));
}

TEST_F(HuntTest, AnInterruptKeepsTheFinishedRunsOnly) {
  const auto result = hunt([&](int run) {
    report(run, "pass a", run != 2);
    return run == 2 ? ends(sys::ChildEnd::interrupted) : exits(0);
  });
  EXPECT_TRUE(result.interrupted);
  EXPECT_THAT(result.runs, SizeIs(1));
  EXPECT_THAT(stored(1), ElementsAre("pass a"));
  EXPECT_THAT(stored(2), IsEmpty());
}

TEST_F(HuntTest, AnInterruptBetweenRunsStartsNoOther) {
  const auto result = hunt([&](int run) {
    report(run, "pass a");
    interrupts_.set(sys::Interrupt::finish);
    return exits(0);
  });
  EXPECT_TRUE(result.interrupted);
  EXPECT_THAT(specs_, SizeIs(1));
  EXPECT_THAT(stored(1), ElementsAre("pass a"));
}

TEST_F(HuntTest, UntilFailStopsAtTheFirstDisagreementOfATest) {
  plan_.until_fail = true;
  plan_.runs = 50;
  const auto result = hunt([&](int run) {
    report(run, run == 3 ? "pass a fail b" : "pass a pass b");
    return exits(run == 3 ? 1 : 0);
  });
  EXPECT_THAT(result.runs, SizeIs(3));
  EXPECT_TRUE(result.disagreed);
}

TEST_F(HuntTest, UntilFailDoesNotStopAtATestThatAlwaysFails) {
  plan_.until_fail = true;
  const auto result = hunt([&](int run) {
    report(run, "fail a");
    return exits(1);
  });
  EXPECT_THAT(result.runs, SizeIs(4));
}

TEST_F(HuntTest, UntilFailStopsWhenOneRunIsUnlikeTheOthers) {
  plan_.until_fail = true;
  const auto result = hunt([&](int run) {
    if (run != 2) report(run, "pass a");
    return exits(0);
  });
  EXPECT_THAT(result.runs, SizeIs(2));
}

TEST_F(HuntTest, WithoutJunitTheExitCodeIsTheOneTest) {
  plan_.junit.clear();
  plan_.command = {"make", "test", "SEED={run}"};
  const auto result = hunt([&](int run) {
    auto child = exits(run == 2 ? 3 : 0);
    child.output.append("line " + std::to_string(run) + "\n");
    return child;
  });
  EXPECT_TRUE(result.exit_codes_only);
  EXPECT_TRUE(result.disagreed);
  EXPECT_THAT(stored(1), ElementsAre("pass (command)"));
  EXPECT_THAT(stored(2), ElementsAre("fail (command)"));
  EXPECT_EQ(evidence_[1].suite_level->name, "make test SEED={run}");
  EXPECT_EQ(evidence_[1].suite_level->message, "exit code 3");
  EXPECT_EQ(result.first_failing_run, 2);
  EXPECT_EQ(result.first_failing_output, "line 2\n");
  EXPECT_THAT(warnings(result), HasSubstr("without --junit the exit code is all there is"));
}

TEST_F(HuntTest, ExitCodesAreStoredAtOnce) {
  plan_.junit.clear();
  plan_.command = {"true"};
  plan_.runs = 1;
  hunt([](int) { return exits(0); });
  EXPECT_THAT(order_, ElementsAre("stored 1", "ended 1"));
}

TEST_F(HuntTest, APathThatNoRunWritesToIsGivenUpAfterThreeRuns) {
  plan_.runs = 20;
  const auto result = hunt([](int) { return exits(0); });
  EXPECT_THAT(result.runs, SizeIs(3));
  ASSERT_TRUE(result.problem);
  EXPECT_EQ(result.problem->kind, ErrorKind::missing);
  EXPECT_THAT(result.problem->message, HasSubstr("no report in 3 runs: no report at " + folder_.file("out/1.txt")));
  EXPECT_THAT(evidence_, IsEmpty());
}

TEST_F(HuntTest, RunsThatAllTimeOutAreFailuresOfTheCommandAndAProblem) {
  const auto result = hunt([](int) { return ends(sys::ChildEnd::timed_out); });
  EXPECT_THAT(result.runs, SizeIs(4));
  EXPECT_TRUE(result.problem);
  EXPECT_THAT(stored(4), ElementsAre("fail (command)"));
}

TEST_F(HuntTest, ReportsWithoutATestAreAProblem) {
  const auto result = hunt([&](int run) {
    report(run, "");
    return exits(0);
  });
  ASSERT_TRUE(result.problem);
  EXPECT_THAT(result.problem->message, HasSubstr("nothing ran"));
}

TEST_F(HuntTest, ACommandThatCannotBeStartedIsAnError) {
  const auto result = try_hunt([](int) {
    auto child = ends(sys::ChildEnd::failed_to_start, ENOENT);
    child.start_problem = "run suite: No such file or directory in PATH";
    return child;
  });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
  EXPECT_EQ(result.error().message, "run suite: No such file or directory in PATH");
}

TEST_F(HuntTest, AMachineWithoutRoomForAProcessIsNoMissingCommand) {
  const auto result = try_hunt([](int) { return ends(sys::ChildEnd::failed_to_start, EAGAIN); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::internal);
}

TEST_F(HuntTest, ACommandThatVanishesLaterFailsThoseRuns) {
  hunt([&](int run) {
    report(run, "pass a");
    return run == 3 ? ends(sys::ChildEnd::failed_to_start, ENOENT) : exits(0);
  });
  EXPECT_THAT(stored(3), ElementsAre("fail (command)"));
}

TEST_F(HuntTest, LeakedProcessesAreNamedOnce) {
  const auto result = hunt([&](int run) {
    report(run, "pass a");
    auto child = exits(0);
    child.leaked.push_back({"server\x1b[31m", 40 + run});
    return child;
  });
  EXPECT_THAT(warnings(result),
              HasSubstr("runs 1-4: left processes behind, which were ended, such as server\\x1b[31m (41)"));
}

TEST_F(HuntTest, NamesThatChangeAreSaidWithTheirCure) {
  const auto result = hunt([&](int run) {
    report(run, "pass t-2026113020210" + std::to_string(run));
    return exits(0);
  });
  EXPECT_THAT(warnings(result), HasSubstr("1 test changed their name between runs"));
  EXPECT_THAT(warnings(result), HasSubstr("20261130202101 / 20261130202102"));
  EXPECT_EQ(result.runs[3].worth, RunWorth::sound);
}

TEST_F(HuntTest, AnErrorFromTheStoreEndsTheHunt) {
  testing::FakeChildRunner runner([&](const sys::ChildSpec& spec) {
    report(std::stoi(spec.environment.front().second), "fail a");
    return exits(1);
  });
  HuntEvents events;
  events.store = [](RunEvidence&&) -> Result<void> { return Error{ErrorKind::io, "disk full"}; };
  const auto result = run::hunt(plan_, {runner, clock_, interrupts_, read_test_report}, events);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "disk full");
  EXPECT_THAT(runner.specs(), SizeIs(1));
}

TEST_F(HuntTest, ProgressCountsRunsAndFailures) {
  hunt([&](int run) {
    report(run, run == 2 ? "fail a" : "pass a");
    return exits(run == 2 ? 1 : 0);
  });
  ASSERT_THAT(progress_, SizeIs(5));
  EXPECT_EQ(progress_.front().done, 0);
  EXPECT_EQ(progress_[2].failed, 1);
  EXPECT_EQ(progress_[2].remaining, 200ms);
  EXPECT_EQ(progress_.back().done, 4);
  EXPECT_EQ(progress_.back().remaining, 0ms);
}

TEST_F(HuntTest, PlansThatMakeNoSenseAreRefused) {
  const auto refused = [&](const char* words) {
    const auto result = try_hunt([](int) { return exits(0); });
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
    EXPECT_THAT(result.error().message, HasSubstr(words));
  };
  plan_.junit.clear();
  refused("there is no --junit");
  plan_.junit = "out/*.txt";
  refused("is a glob");
  plan_.junit = "out/{run}.txt";
  plan_.runs = 0;
  refused("at least one run");
  plan_.runs = 1;
  plan_.command = {};
  refused("no command");
}

TEST_F(HuntTest, AdviceForCommandsThatAnswerFromACache) {
  plan_.junit = "out/1.txt";
  plan_.command = {"gotestsum", "--junitfile", "{junit}", "./..."};
  const auto run = [&](int) {
    report(1, "pass a");
    return exits(0);
  };
  EXPECT_THAT(warnings(hunt(run)), HasSubstr("-count=1"));
  plan_.command.push_back("-count=1");
  EXPECT_THAT(warnings(hunt(run)), Not(HasSubstr("-count=1")));
  plan_.command = {"/opt/bin/gotestsum", "--junitfile", "{junit}", "--raw-command", "--", "./built.test", "-test.v"};
  EXPECT_THAT(warnings(hunt(run)), Not(HasSubstr("-count=1")));
}

}  // namespace
}  // namespace flakestat::run
