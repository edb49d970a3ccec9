#include "report/hunt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/hunt_doubts.hpp"
#include "report/hunt_ends.hpp"
#include "report/samples.hpp"
#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

HuntSummary by_exit_code() {
  auto hunt = samples::hunt();
  hunt.exit_codes_only = true;
  hunt.runs.resize(4);
  for (auto& run : hunt.runs) {
    run.end = HuntEnd::exited;
    run.counts = {};
  }
  hunt.runs[0].code = 0;
  hunt.failing_run = 3;
  hunt.failing_output = "\x1b[31mFAIL\x1b[0m test_x\r\n\n\tat y\x07\n";
  hunt.warnings = {"no report: runs are judged by their exit codes"};
  return hunt;
}

TEST(HuntText, ScoresEndsAndWarnings) {
  EXPECT_GOLDEN("hunt/hunt.txt", hunt_text(samples::hunt(), samples::every_verdict(), {}));
}

TEST(HuntText, ExitCodesShowTheFirstFailingOutput) {
  stats::Scores scores;
  scores.tests = {samples::flaky("pytest", 0.4, 0.1, 3, 1)};
  EXPECT_GOLDEN("hunt/exit_codes.txt", hunt_text(by_exit_code(), scores, {}));
}

TEST(HuntText, OnlyTheLastLinesOfTheOutput) {
  auto hunt = by_exit_code();
  hunt.failing_output.clear();
  for (int i = 1; i <= 50; ++i) hunt.failing_output += "line " + std::to_string(i) + "\n";
  const auto text = hunt_text(hunt, {}, {});
  EXPECT_THAT(text, HasSubstr("first that failed:\n  | line 31\n"));
  EXPECT_THAT(text, HasSubstr("  | line 50\n"));
}

TEST(HuntText, WithReportsTheOutputIsOfARunWithoutAFailingCase) {
  auto hunt = by_exit_code();
  hunt.exit_codes_only = false;
  EXPECT_THAT(hunt_text(hunt, {}, {}), HasSubstr("run 3, the first that failed without a failing case:\n"));
  hunt.failing_run = 0;
  EXPECT_THAT(hunt_text(hunt, {}, {}), Not(HasSubstr("last output")));
}

TEST(HuntText, SaysWhyItMadeFewerRuns) {
  auto hunt = by_exit_code();
  hunt.stopped_early = true;
  EXPECT_THAT(hunt_text(hunt, {}, {}),
              StartsWith("4 of 8 runs of pytest -q -k 'not slow' in 3m04s (stopped at the first disagreement)\n"));
  hunt.interrupted = true;
  EXPECT_THAT(hunt_text(hunt, {}, {}), HasSubstr("(interrupted)\n"));
}

TEST(HuntText, FailingRunsAreNamedWithTheCommandThatMakesThemAgain) {
  auto hunt = samples::hunt();
  hunt.again = {{3, "a::b\x1b[2J", "flakestat hunt --replay r:3"}, {5, "c", "flakestat hunt --replay r:5"}};
  hunt.kept = KeptFailure{3, ".flakestat/failures/r-run-3"};
  EXPECT_THAT(hunt_text(hunt, {}, {}),
              HasSubstr("to make a failing run again:\n"
                        "  flakestat hunt --replay r:3   (a::b\\x1b[2J failed)\n"
                        "  flakestat hunt --replay r:5   (c failed)\n"
                        "output and report of run 3 are kept in .flakestat/failures/r-run-3\n"));
}

TEST(HuntText, LastLineSaysWhatCouldNotBeSeen) {
  EXPECT_THAT(
      hunt_text(samples::hunt(), samples::every_verdict(), {}),
      EndsWith("\n20 clean runs rule out failure rates above 14 % (95 % confidence); 299 runs would rule out 1 %\n"));
}

TEST(HuntJson, ScoresEndsAndWarnings) {
  EXPECT_GOLDEN("hunt/hunt.json", hunt_json(samples::hunt(), samples::every_verdict(), {}));
}

HuntSummary with_doubts() {
  auto hunt = samples::hunt();
  hunt.parallel = 4;
  hunt.isolation = "fs,tmp,pid";
  hunt.verifying = 2;
  hunt.contended = {{"s", "s", "\x1b[31mred", {3, 0}, {4, 1}, false}, {"s", "C", "b", {0, 1}, {5, 0}, true}};
  return hunt;
}

TEST(HuntDoubts, AreToldWithTheirCountsAloneAndBesideOthers) {
  const auto lines = describe_doubts(with_doubts());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "2 runs more, alone, to see whether what happened beside other copies happens again");
  EXPECT_THAT(lines[1], HasSubstr("red failed in 1 of 5 runs beside other copies and in 0 of 3 runs alone: no proof"));
  EXPECT_THAT(lines[1], Not(HasSubstr("\x1b")));
  EXPECT_THAT(lines[2],
              StartsWith("isolation-sensitive: C::b failed in 0 of 5 runs beside other copies and in 1 of 1"));
}

TEST(HuntDoubts, TooFewRunsAloneForTheRateAreSaidWithHowManyItTakes) {
  auto hunt = with_doubts();
  hunt.contended = {{"s", "s", "rare", {6, 0}, {28, 1}, false},
                    {"s", "s", "often", {6, 0}, {10, 10}, false},
                    {"s", "s", "never", {0, 0}, {10, 10}, false}};
  const auto lines = describe_doubts(hunt);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[1], EndsWith("; 86 runs alone show such a rate with 95 % (--verify 86)"));
  EXPECT_THAT(lines[2], EndsWith("may have disturbed each other"));
  EXPECT_THAT(lines[3], EndsWith("; it never ran alone"));
}

TEST(HuntDoubts, LongListsAreCut) {
  auto hunt = with_doubts();
  hunt.contended.assign(100, hunt.contended.front());
  const auto lines = describe_doubts(hunt);
  EXPECT_EQ(lines.size(), 22U);
  EXPECT_EQ(lines.back(), "and 80 tests more like that");
}

TEST(HuntDoubts, NothingParallelSaysNothing) { EXPECT_TRUE(describe_doubts(samples::hunt()).empty()); }

TEST(HuntText, ParallelRunsAreNamedInTheHeadline) {
  EXPECT_THAT(hunt_text(with_doubts(), {}, {}), HasSubstr(", 4 at a time (isolated: fs,tmp,pid)\n"));
}

TEST(HuntEnds, OrdinaryExitsSayNothing) {
  EXPECT_TRUE(describe_ends({samples::run(1, 0), samples::run(2, 1)}).empty());
}

TEST(HuntEnds, LongListsOfLeakedProcessesAreCut) {
  auto run = samples::run(1, 0);
  run.leaked.assign(12, "sleep");
  const auto lines = describe_ends({run});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], StartsWith("run 1: 12 processes outlived the command and were ended: sleep, sleep"));
  EXPECT_THAT(lines[0], EndsWith(" and 2 more"));
}

}  // namespace
}  // namespace flakestat::report
