#include "adapters/generic.hpp"

#include <csignal>

#include "adapters/generic_test_world.hpp"

namespace flakestat::adapters {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using End = flakestat::RunEnd;
using Generic = GenericWorld;

TEST_F(Generic, AGreenSuiteRunsOnceAndIsGreen) {
  const auto finished = run([&](int) {
    report("pass a; pass b; skip c");
    return exits(0);
  });
  EXPECT_EQ(finished.end, End::ok);
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(fates(), "a passed, b passed, c skipped");
  EXPECT_THAT(commands_, ElementsAre("suite --report " + folder_.file("r.xml")));
  EXPECT_EQ(output_, "output of the suite\n");
  EXPECT_EQ(finished.totals.reruns, 0U);
  EXPECT_THAT(finished.reasons, IsEmpty());
}

TEST_F(Generic, AFailureThatPassesOnRerunIsFlakyAndGreen) {
  select();
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b boom" : "pass b");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(finished.end, End::ok);
  EXPECT_EQ(fates(), "a passed, b flaky");
  EXPECT_EQ(attempts("b"), "failed passed");
  EXPECT_THAT(commands_, ElementsAre("suite --report " + folder_.file("r.xml"), "suite --only C#b"));
  EXPECT_THAT(events_.notes, HasSubstr("1 test failed: rerun 1 of at most 2, of this test alone"));
  EXPECT_EQ(finished.totals.reruns, 1U);
}

TEST_F(Generic, ATestWhoseLastAttemptFailedIsNeverGreen) {
  select();
  for (const int code : {0, 1}) {
    events_ = {};
    const auto finished = run([&](int) {
      report("pass a; fail b boom");
      return exits(code);
    });
    EXPECT_EQ(finished.end, End::tests_failed);
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_EQ(attempts("b"), "failed failed failed");
  }
  EXPECT_THAT(events_.notes, HasSubstr("rerun 2 of at most 2"));
}

TEST_F(Generic, AllFailuresOfARoundAreRerunByOneProcess) {
  select("suite --only {tests}");
  options_.selection->join = ",";
  run([&](int run) {
    report(run == 1 ? "fail a; fail b; pass c" : "pass a; pass b");
    return exits(run == 1 ? 2 : 0);
  });
  EXPECT_THAT(commands_, ElementsAre("suite --report " + folder_.file("r.xml"), "suite --only C#a C#b"));
}

TEST_F(Generic, WithoutASelectionTheWholeSuiteRunsAgainAndThatIsSaid) {
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b" : "pass a; pass b");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(finished.end, End::ok);
  EXPECT_EQ(commands_.front(), commands_.back());
  EXPECT_EQ(attempts("a"), "passed") << "a pass of what had passed says nothing new";
  EXPECT_THAT(events_.notes,
              HasSubstr("of the whole suite, since nothing says how to run some tests alone (--select)"));
}

TEST_F(Generic, ATestThatFailsOnlyInAWholeRerunIsNotGreen) {
  options_.reruns.reruns = 1;
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b" : "fail a; pass b");
    return exits(1);
  });
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(fates(), "a failed, b flaky");
  EXPECT_EQ(attempts("a"), "passed failed");
}

TEST_F(Generic, ATestThatRecoveredAndFailsAgainInAWholeRerunIsNotGreen) {
  const auto finished = run([&](int run) {
    report(run == 1 ? "fail a; fail b" : run == 2 ? "pass a; fail b" : "fail a; pass b");
    return exits(1);
  });
  EXPECT_EQ(fates(), "a failed, b flaky");
  EXPECT_EQ(attempts("a"), "failed passed failed");
  EXPECT_EQ(finished.exit_code, 1);
}

TEST_F(Generic, AFailureInAWholeRerunIsRerunWhileTheBudgetLasts) {
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b" : run == 2 ? "fail a; fail b" : "pass a; pass b");
    return exits(run == 3 ? 0 : 1);
  });
  EXPECT_EQ(fates(), "a flaky, b flaky");
  EXPECT_EQ(attempts("a"), "passed failed passed");
  EXPECT_EQ(finished.exit_code, 0);
}

TEST_F(Generic, ARerunThatRanNothingIsAFailureOfTheTest) {
  select();
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail a(b)[c]+$ boom" : "");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(attempts("a(b)[c]+$"), "failed error");
  const auto& last = settled("a(b)[c]+$").attempts.back();
  EXPECT_EQ(last.trouble, RunTrouble::lost);
  EXPECT_THAT(last.message, HasSubstr("rerun 1 was asked for this test and ran nothing of its name"));
  EXPECT_EQ(commands_.size(), 2U) << "a name that the runner does not know is not asked for again";
}

TEST_F(Generic, ATestThatARerunReportsAsSkippedDidNotRun) {
  select();
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b" : "skip a; skip b");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(attempts("b"), "failed error");
}

TEST_F(Generic, AParentThatPassesDoesNotStandForItsSubtest) {
  select();
  const auto finished = run([&](int run) {
    report(run == 1 ? "fail TestOdd; fail TestOdd/a_b" : "pass TestOdd");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(fates(), "TestOdd flaky, TestOdd/a_b error");
  EXPECT_EQ(finished.exit_code, 1);
}

TEST_F(Generic, ASecondTryThatFailsInTheSetUpKeepsBothCauses) {
  select();
  options_.reruns.reruns = 1;
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b first-cause" : "error initializationError second-cause");
    return exits(1);
  });
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(attempts("b"), "failed error");
  EXPECT_EQ(settled("b").attempts.front().message, "first-cause");
  EXPECT_THAT(settled("b").attempts.back().message, HasSubstr("C::initializationError: second-cause"));
  EXPECT_EQ(settled("initializationError").fate, RunFate::error);
}

TEST_F(Generic, AfterAFailedSetUpTheTestItselfMayStillRecover) {
  select();
  run([&](int run) {
    report(run == 1 ? "fail b" : run == 2 ? "error initializationError" : "pass b");
    return exits(run == 3 ? 0 : 1);
  });
  EXPECT_EQ(attempts("b"), "failed error passed");
}

TEST_F(Generic, ABuildFailureIsNotRerunAwayByOthers) {
  select();
  const auto finished = run([&](int run) {
    if (run == 1) {
      write(
          "<testsuites><testsuite name=\"pkg/x\"><testcase classname=\"\" name=\"TestMain\"><failure "
          "message=\"[build failed]\"/></testcase></testsuite>" +
          xml_report("fail b") + "</testsuites>");
    } else {
      report("pass b");
    }
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(fates(), "TestMain failed, b flaky");
  EXPECT_EQ(commands_.back(), "suite --only C#b");
  EXPECT_THAT(reasons(finished),
              HasSubstr("1 failure of what is no test, but a build or a set-up: \"pkg/x::TestMain\""));
  EXPECT_THAT(settled("TestMain").note, HasSubstr("no test that the runner could be asked for"));
}

TEST_F(Generic, ABuildFailureIsExcusedByNoList) {
  policy_["TestMain"].excuse = policy_["b"].excuse = "*";
  options_.reruns.reruns = 0;
  const auto finished = run([&](int) {
    write("<testsuites><testsuite name=\"pkg\"><testcase name=\"TestMain\"><failure/></testcase></testsuite>" +
          xml_report("fail b") + "</testsuites>");
    return exits(1);
  });
  EXPECT_EQ(fates(), "TestMain failed, b quarantined");
  EXPECT_EQ(finished.exit_code, 1);
}

TEST_F(Generic, ASetUpThatFailedIsOverWhenTheWholeSuiteSucceedsWithoutIt) {
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; error initializationError" : "pass a; pass b; pass c");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(fates(), "a passed, initializationError flaky, b passed, c passed");
  EXPECT_EQ(finished.exit_code, 0);
}

TEST_F(Generic, ASetUpThatIsGoneFromAFailedRerunHasNotRecovered) {
  options_.reruns.reruns = 1;
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; error initializationError" : "pass a; fail b");
    return exits(1);
  });
  EXPECT_EQ(settled("initializationError").fate, RunFate::error);
  EXPECT_EQ(settled("b").fate, RunFate::failed) << "tests that only a rerun has are tests";
  EXPECT_EQ(finished.exit_code, 1);
}

TEST_F(Generic, ATestThatWholeRerunsDoNotHaveIsNotGreen) {
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b" : "pass a");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(attempts("b"), "failed error");
  EXPECT_THAT(settled("b").attempts.back().message, HasSubstr("rerun 1 of the whole suite has no result"));
  EXPECT_EQ(finished.exit_code, 1);
}

TEST_F(Generic, AWholeRerunThatLostTestsIsNotBelieved) {
  const auto finished = run([&](int run) {
    report(run == 1 ? "fail a; pass b; pass c" : "pass a");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(finished.end, End::runner_failed);
  EXPECT_EQ(finished.exit_code, 70);
  EXPECT_THAT(reasons(finished), HasSubstr("tests that ran before are missing: \"C::b\", \"C::c\""));
  EXPECT_NE(settled("a").fate, RunFate::flaky);
}

TEST_F(Generic, ARerunnerThatStopsAtItsFirstFailureLosesNothing) {
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b" : run == 2 ? "fail a" : "pass a; pass b; pass c");
    return exits(run == 3 ? 0 : 1);
  });
  EXPECT_EQ(fates(), "a flaky, b error, c passed") << "b was not reached in rerun 1";
  EXPECT_EQ(finished.end, End::tests_failed);
}

// ---- interrupts

TEST_F(Generic, AnInterruptedFirstRunTellsNothing) {
  const auto finished = run([&](int) {
    interrupts_.set(sys::Interrupt::finish);
    report("pass a; fail b");
    return ends(sys::ChildEnd::interrupted);
  });
  EXPECT_EQ(finished.end, End::interrupted);
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(fates(), "");
}

TEST_F(Generic, AnInterruptBySigtermHasItsNumber) {
  signal_ = SIGTERM;
  const auto finished = run([&](int) {
    interrupts_.set(sys::Interrupt::finish);
    return ends(sys::ChildEnd::interrupted);
  });
  EXPECT_EQ(finished.exit_code, 143);
}

TEST_F(Generic, AnInterruptInARerunReportsWhatWasDone) {
  const auto finished = run([&](int run) {
    if (run == 2) {
      interrupts_.set(sys::Interrupt::finish);
      return ends(sys::ChildEnd::interrupted);
    }
    report("pass a; fail b");
    return exits(1);
  });
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(fates(), "a passed, b failed");
  EXPECT_THAT(settled("b").note, HasSubstr("interrupted"));
  EXPECT_EQ(finished.totals.reruns, 0U) << "those that were made, not those that were allowed";
}

// ---- the command as the only test

TEST_F(Generic, WithoutAReportTheCommandIsTheTest) {
  options_.junit.clear();
  const auto flaky = run([&](int run) { return exits(run == 1 ? 3 : 0); });
  EXPECT_EQ(fates(), "(command) flaky");
  EXPECT_EQ(flaky.exit_code, 0);
  EXPECT_EQ(settled("(command)").attempts.front().message, "exit code 3");
  EXPECT_THAT(events_.notes, HasSubstr("the command as a whole is the one test"));
  events_ = {};
  const auto failed = run([&](int) { return exits(3); });
  EXPECT_EQ(failed.end, End::tests_failed);
  EXPECT_EQ(attempts("(command)"), "failed failed failed");
}

TEST_F(Generic, WithoutAReportATimeOutIsAnErrorEntry) {
  options_.junit.clear();
  const auto finished = run([&](int) { return ends(sys::ChildEnd::timed_out); });
  EXPECT_EQ(finished.end, End::runner_failed);
  EXPECT_EQ(fates(), "(command) error");
  EXPECT_EQ(settled("(command)").attempts.back().message, "timed out");
}

TEST_F(Generic, WithoutAReportACrashOfARerunDecides) {
  options_.junit.clear();
  const auto finished = run([&](int run) { return run == 1 ? exits(1) : ends(sys::ChildEnd::signalled, SIGSEGV); });
  EXPECT_EQ(finished.exit_code, 139);
  EXPECT_EQ(attempts("(command)"), "failed error") << "what crashed is not run again";
}

// ---- what the framework did itself

TEST_F(Generic, AttemptsOfTheFrameworkAreAttempts) {
  options_.reruns.reruns = 0;
  const auto finished = run([&](int) {
    report("flaky a first; rerun b twice; fail c; fail c; pass c; pass d");
    return exits(1);
  });
  EXPECT_EQ(fates(), "a flaky, b failed, c flaky, d passed");
  EXPECT_EQ(attempts("b"), "failed failed");
  EXPECT_EQ(attempts("c"), "failed failed passed");
  EXPECT_EQ(settled("a").attempts.front().message, "first");
  EXPECT_EQ(finished.totals.reruns, 4U);
}

TEST_F(Generic, OneOfSeveralCasesOfAnUnknownRelationMayNotHideAnother) {
  options_.reruns.reruns = 0;
  const auto finished = run([&](int) {
    report("pass t; fail t; pass t; pass u");
    return exits(1);
  });
  EXPECT_EQ(fates(), "t failed, u passed");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(events_.notes, HasSubstr("1 test stood in the report more than once"));
}

// ---- the policy

TEST_F(Generic, AQuarantinedFailureIsGreenWhateverTheExitCode) {
  policy_["a"].excuse = "C::a";
  options_.reruns.reruns = 0;
  const auto finished = run([&](int) {
    report("fail a; pass b");
    return exits(1);
  });
  EXPECT_EQ(fates(), "a quarantined, b passed");
  EXPECT_EQ(finished.exit_code, 0);
}

TEST_F(Generic, ExitZeroWithFailingCasesIsAFailure) {
  options_.reruns.reruns = 0;
  const auto finished = run([&](int) {
    report("fail a");
    return exits(0);
  });
  EXPECT_EQ(finished.end, End::tests_failed);
  EXPECT_THAT(reasons(finished), HasSubstr("exit code 0 although tests failed"));
}

TEST_F(Generic, MaxfailIsSaidToMeanNothing) {
  options_.reruns.maxfail = 1;
  run([&](int) {
    report("fail a; fail b");
    return exits(1);
  });
  EXPECT_THAT(events_.notes, HasSubstr("--maxfail does not reach"));
  EXPECT_EQ(commands_.size(), 3U);
}

TEST_F(Generic, ManyFailuresAreTriedWithAFewAndSparedWhenNoneRecovers) {
  select();
  std::string failures;
  for (int i = 0; i < 100; ++i) failures += "fail t" + std::to_string(i) + ";";
  const auto finished = run([&](int run) {
    if (run == 1) {
      report(failures);
      return exits(1);
    }
    std::string again;
    std::istringstream in(command_);
    for (std::string word; in >> word;) {
      if (word.starts_with("C#")) again += "fail " + word.substr(2) + ";";
    }
    report(again);
    return exits(1);
  });
  EXPECT_EQ(finished.totals.failed, 100U);
  EXPECT_LE(finished.totals.reruns, 30U);
  EXPECT_THAT(events_.notes, HasSubstr("10 tests in a row recovered nothing"));
}

TEST_F(Generic, DelaysAreKeptOncePerRound) {
  options_.reruns.delay_seconds = 1.5;
  run([&](int run) {
    report(run == 1 ? "fail a; fail b" : "pass a; pass b");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_THAT(pauses_, ElementsAre(std::chrono::milliseconds(1500)));
}

TEST_F(Generic, TestsThatEachRunNamesAnewDoNotKeepItRunning) {
  const auto finished = run([&](int run) {
    report("pass a; fail t" + std::to_string(run));
    return exits(1);
  });
  EXPECT_LE(commands_.size(), 3U);
  EXPECT_EQ(finished.exit_code, 1);
}

TEST_F(Generic, ANameThatCannotBeHandedOverTakesTheWholeSuite) {
  select("suite {tests}", "{name}");
  run([&](int run) {
    report(run == 1 ? "fail --version; pass b" : "pass --version; pass b");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(commands_.back(), "suite --report " + folder_.file("r.xml"));
  EXPECT_THAT(events_.notes, HasSubstr("of the whole suite, since \"--version\" would be taken for an option"));
}

TEST_F(Generic, TheReportOfTheWholeRunIsWhatStays) {
  select();
  run([&](int run) {
    report(run == 1 ? "pass a; fail b" : "pass b");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_THAT(testing::slurp(folder_.file("r.xml")), HasSubstr("name=\"a\""));
}

TEST_F(Generic, OddNamesAndMessagesComeThroughAsTheyAre) {
  select();
  const auto finished = run([&](int run) {
    report(run == 1 ? "fail a(b)[c]+$ <&\"\\e[31m" : "pass a(b)[c]+$");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(fates(), "a(b)[c]+$ flaky");
  EXPECT_EQ(commands_.back(), "suite --only C#a(b)[c]+$");
  EXPECT_EQ(finished.exit_code, 0);
}

}  // namespace
}  // namespace flakestat::adapters
