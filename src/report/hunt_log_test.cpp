#include "report/hunt_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/samples.hpp"

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

HuntRun run(HuntEnd end, int code) {
  HuntRun run;
  run.run = 3;
  run.end = end;
  run.code = code;
  run.wall_ms = 1234;
  return run;
}

TEST(RunLine, EndTestsAndTime) {
  auto ended = run(HuntEnd::exited, 1);
  ended.counts.tests = 40;
  ended.counts.failures = ended.counts.errors = 1;
  EXPECT_EQ(run_line(ended), "run 3: exit 1, 2 failed of 40, 1.2s");
  ended.counts.skipped = 4;
  EXPECT_EQ(run_line(ended), "run 3: exit 1, 2 failed of 40, 4 skipped, 1.2s");
}

TEST(RunLine, ByExitCodesThereAreNoTests) { EXPECT_EQ(run_line(run(HuntEnd::exited, 0)), "run 3: exit 0, 1.2s"); }

TEST(RunLine, OtherEndsAreNamed) {
  EXPECT_EQ(run_line(run(HuntEnd::signalled, 11)), "run 3: signal 11 (SIGSEGV), 1.2s");
  EXPECT_EQ(run_line(run(HuntEnd::timed_out, 0)), "run 3: timed out, 1.2s");
}

TEST(RunLine, AMissingAndAPartialReportAreNamed) {
  auto ended = run(HuntEnd::timed_out, 0);
  ended.report_problem = "no report at /x.xml";
  EXPECT_EQ(run_line(ended), "run 3: timed out, no report: no report at /x.xml, 1.2s");
  ended.counts.tests = 2;
  ended.report_problem = "/x.xml is cut off at byte 7, line 1: \x1b]0;t\x07";
  EXPECT_THAT(run_line(ended), HasSubstr("0 failed of 2, /x.xml is cut off"));
  EXPECT_THAT(run_line(ended), Not(HasSubstr("\x1b")));
}

TEST(RunLines, AShortHuntHasALineForEveryRun) {
  RunLines lines(50);
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(lines.wants(false, 0));
}

TEST(RunLines, ALongHuntHasOneLineASecondAndEveryFailure) {
  RunLines lines(51);
  EXPECT_TRUE(lines.wants(false, 0));
  EXPECT_FALSE(lines.wants(false, 999));
  EXPECT_TRUE(lines.wants(true, 999));
  EXPECT_TRUE(lines.wants(true, 999));
  EXPECT_FALSE(lines.wants(false, 1998));
  EXPECT_TRUE(lines.wants(false, 1999));
}

}  // namespace
}  // namespace flakestat::report
