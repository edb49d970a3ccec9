// What makes a run never green: the runner itself failed.
#include <cerrno>
#include <csignal>

#include "adapters/generic.hpp"
#include "adapters/generic_test_world.hpp"

namespace flakestat::adapters {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using End = flakestat::RunEnd;
using GenericBroken = GenericWorld;

struct Broken {
  const char* name;
  sys::ChildResult how;
  const char* cases;  // of the report; null: none is written
  int code;
  RunTrouble trouble;
  const char* reason;
};

class BrokenFirstRun : public GenericWorld, public ::testing::WithParamInterface<Broken> {};

TEST_P(BrokenFirstRun, IsNeverGreenAndHasAnEntryOfItsOwn) {
  select();
  policy_["b"].excuse = "*";
  const auto& broken = GetParam();
  const auto finished = run([&](int) {
    if (broken.cases != nullptr) report(broken.cases);
    return broken.how;
  });
  EXPECT_EQ(finished.end, End::runner_failed);
  EXPECT_EQ(finished.exit_code, broken.code);
  EXPECT_THAT(reasons(finished), HasSubstr(broken.reason));
  EXPECT_EQ(commands_.size(), 1U) << "what is not whole is not rerun to green";
  const auto& entry = settled("(command)");
  EXPECT_EQ(entry.fate, RunFate::error);
  EXPECT_EQ(entry.attempts.back().trouble, broken.trouble);
  EXPECT_THAT(entry.attempts.back().message, HasSubstr(broken.reason));
}

INSTANTIATE_TEST_SUITE_P(All, BrokenFirstRun,
                         ::testing::Values(Broken{"TimedOut", ends(sys::ChildEnd::timed_out), nullptr, 70,
                                                  RunTrouble::timed_out, "timed out"},
                                           Broken{"TimedOutWithAReport", ends(sys::ChildEnd::timed_out),
                                                  "pass a; fail b", 70, RunTrouble::timed_out, "timed out"},
                                           Broken{"Crashed", ends(sys::ChildEnd::signalled, SIGSEGV), nullptr, 139,
                                                  RunTrouble::crashed, "killed by signal 11 (SIGSEGV), no report"},
                                           Broken{"CrashedWithAReport", ends(sys::ChildEnd::signalled, SIGABRT),
                                                  "pass a; error b", 134, RunTrouble::crashed, "killed by signal 6"},
                                           Broken{"ExitZeroInsideATest", exits(0), nullptr, 70, RunTrouble::lost,
                                                  "exit code 0, no report at"},
                                           Broken{"FailedBeforeAReport", exits(4), nullptr, 4, RunTrouble::lost,
                                                  "exit code 4, no report at"},
                                           Broken{"FailedWithoutAFailingCase", exits(3), "pass a; skip b", 3,
                                                  RunTrouble::lost, "exit code 3 without a failing case"}),
                         [](const auto& row) { return row.param.name; });

TEST_F(GenericBroken, PassesOfAFirstRunThatFailedForNoCaseAreNotBelieved) {
  const auto finished = run([&](int) {
    report("pass a; pass b; skip c");
    return exits(1);
  });
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.totals.passed, 0U);
  EXPECT_EQ(finished.totals.not_run, 3U);
  EXPECT_EQ(fates(), "(command) error");
  EXPECT_TRUE(events_.started.partial);
  EXPECT_THAT(reasons(finished), HasSubstr("exit code 1 without a failing case: nothing that it passed counts"));
}

TEST_F(GenericBroken, WhatARunPassedBeforeItWasEndedCounts) {
  const auto finished = run([&](int) {
    report("pass a; fail b");
    return ends(sys::ChildEnd::timed_out);
  });
  EXPECT_EQ(fates(), "a passed, b failed, (command) error");
  EXPECT_THAT(settled("b").note, HasSubstr("the run itself failed"));
  EXPECT_EQ(finished.totals.not_run, 0U);
}

TEST_F(GenericBroken, AReportThatIsEmptyCutOffOrNoReportIsNeverGreen) {
  struct Row {
    const char* content;
    const char* reason;
  };
  for (const auto& [content, reason] : {Row{"", "is empty (0 bytes)"}, Row{"<html></html>", "its root is <html>"},
                                        Row{"<testsuite name=\"s\"><testcase name=\"a\"/><testc", "is cut off"}}) {
    events_ = {};
    const auto finished = run([&, content = content](int) {
      write(content);
      return exits(0);
    });
    EXPECT_EQ(finished.exit_code, 70) << content;
    EXPECT_EQ(finished.end, End::runner_failed);
    EXPECT_THAT(reasons(finished), HasSubstr(reason));
  }
}

TEST_F(GenericBroken, AnOldReportIsNoReportAndStaysWhereItWas) {
  report("pass a");
  const auto finished = run([&](int) { return exits(0); });
  EXPECT_EQ(finished.end, End::runner_failed);
  EXPECT_THAT(testing::slurp(folder_.file("r.xml")), HasSubstr("name=\"a\""));
}

TEST_F(GenericBroken, AReportWithoutTestsIsNothingRanWithTheRunnersCode) {
  for (const auto& [code, ours] : {std::pair{5, 5}, std::pair{0, 70}}) {
    events_ = {};
    const auto finished = run([&, code = code](int) {
      report("");
      return exits(code);
    });
    EXPECT_EQ(finished.end, End::nothing_ran);
    EXPECT_EQ(finished.exit_code, ours);
  }
}

TEST_F(GenericBroken, ARerunThatCrashesIsNeverGreenEvenWhenTheNextOnePasses) {
  select();
  const auto finished = run([&](int run) {
    if (run == 2) return ends(sys::ChildEnd::signalled, SIGSEGV);
    report(run == 1 ? "pass a; fail b" : "pass b");
    return exits(run == 1 ? 1 : 0);
  });
  EXPECT_EQ(attempts("b"), "failed error passed");
  EXPECT_EQ(finished.end, End::runner_failed);
  EXPECT_EQ(finished.exit_code, 139);
  EXPECT_THAT(reasons(finished), HasSubstr("rerun 1: killed by signal 11"));
}

TEST_F(GenericBroken, PassesOfARerunThatFailedWithoutAFailingCaseAreNotBelieved) {
  select();
  options_.reruns.reruns = 1;
  const auto finished = run([&](int run) {
    report(run == 1 ? "pass a; fail b" : "pass b");
    return exits(1);
  });
  EXPECT_EQ(settled("b").fate, RunFate::error);
  EXPECT_THAT(settled("b").attempts.back().message, HasSubstr("without a failing case"));
  EXPECT_EQ(finished.end, End::runner_failed);
}

TEST_F(GenericBroken, FewerTestsThanTheLastTimeWithTheSameCodeIsABrokenRun) {
  options_.known = KnownRun{3, true};
  const auto short_run = run([&](int) {
    report("pass a; pass b");
    return exits(0);
  });
  EXPECT_EQ(short_run.end, End::runner_failed);
  EXPECT_THAT(reasons(short_run), HasSubstr("the report has 2 tests, that of the last whole run had 3"));
  events_ = {};
  options_.known = KnownRun{3, false};
  const auto changed = run([&](int) {
    report("pass a; pass b");
    return exits(0);
  });
  EXPECT_EQ(changed.end, End::ok) << "a changed suite may have fewer";
  EXPECT_THAT(reasons(changed), HasSubstr("had 3"));
}

TEST_F(GenericBroken, ACommandThatCannotBeStartedIsAnErrorWithoutEvents) {
  const auto result = try_run([&](int) {
    auto child = ends(sys::ChildEnd::failed_to_start, ENOENT);
    child.start_problem = "cannot run suite: no such program";
    return child;
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
  EXPECT_THAT(events_.finished, IsEmpty());
}

TEST_F(GenericBroken, ARerunThatCannotBeStartedIsNotGreen) {
  select("absent --only {tests}");
  const auto finished = run([&](int run) {
    if (run > 1) {
      auto child = ends(sys::ChildEnd::failed_to_start, ENOENT);
      child.start_problem = "cannot run absent";
      return child;
    }
    report("fail a");
    return exits(1);
  });
  EXPECT_EQ(finished.end, End::runner_failed);
  EXPECT_EQ(settled("a").fate, RunFate::error);
}

TEST_F(GenericBroken, WhatTheCommandLeftBehindIsNamed) {
  run([&](int) {
    report("pass a");
    auto child = exits(0);
    child.leaked = {{"server", 17}};
    return child;
  });
  EXPECT_THAT(events_.notes, HasSubstr("left processes behind, which were ended: server (17)"));
}

}  // namespace
}  // namespace flakestat::adapters
