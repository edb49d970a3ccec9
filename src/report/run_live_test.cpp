#include "report/run_live.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.hpp"
#include "report/run_samples.hpp"
#include "text/nasty_text.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LiveRun live(int workers) {
  LiveRun run;
  run.done = 54;
  run.total = 120;
  run.totals.failed = 2;
  run.totals.flaky = 1;
  run.eta_ms = 12'000;
  for (int i = 0; i < workers; ++i) {
    run.running.push_back({"gw" + std::to_string(i), "tests/test_a.py::test_" + std::to_string(i), 0, 100 * i});
  }
  return run;
}

std::vector<std::string_view> lines_of(const std::string& block) { return split(block, '\n'); }

TEST(LiveRunBlock, ProgressCountsTimeAndRunningTests) {
  auto run = live(2);
  run.running[1].attempt = 1;
  EXPECT_EQ(live_run_block(run, {}),
            "[##########--------------]   45%  54/120  2 failed  ETA 12s  1 flaky\n"
            "  gw0  tests/test_a.py::test_0  0ms\n"
            "  gw1  tests/test_a.py::test_1  100ms  (attempt 2)");
}

TEST(LiveRunBlock, ASingleProcessHasNoName) {
  LiveRun run;
  run.total = 3;
  run.running = {{"", "a.py::t", 0, 1500}};
  EXPECT_EQ(live_run_block(run, {}), "[------------------------]    0%  0/3\n  a.py::t  1.5s");
}

TEST(LiveRunBlock, OfManyWorkersThoseThatTakeLongestAreNamedInTheirOrder) {
  const auto block = live_run_block(live(12), {});
  EXPECT_EQ(lines_of(block).size(), 2 + kMostLiveWorkers);
  EXPECT_THAT(block, Not(HasSubstr("test_3  ")));
  EXPECT_THAT(block, HasSubstr("\n  gw4   tests/test_a.py::test_4  400ms\n"));
  EXPECT_THAT(block, HasSubstr("\n  and 4 more running"));
}

TEST(LiveRunBlock, ItNeverHasMoreLinesThanTheTerminal) {
  for (int workers = 0; workers <= 12; ++workers) {
    for (std::size_t rows = 1; rows <= 14; ++rows) {
      EXPECT_LE(lines_of(live_run_block(live(workers), {}, rows)).size(), rows) << workers << " in " << rows;
    }
  }
}

TEST(LiveRunBlock, NoLineIsWiderThanTheTerminal) {
  auto run = live(3);
  run.running[0].id = "ein/sehr/langer/name::\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e";
  run.running[1].worker = "\u65e5\u672c\u8a9e";
  for (std::size_t width = 1; width <= 90; ++width) {
    const auto block = live_run_block(run, {width, false});
    for (const auto line : lines_of(block)) {
      EXPECT_LE(text::display_width(line), width) << line;
    }
  }
  EXPECT_THAT(live_run_block(run, {50, false}), HasSubstr("\u2026"));
}

TEST(LiveRunBlock, WhereItIsNarrowTheBarGivesWayToTheCounts) {
  EXPECT_EQ(live_run_block(live(0), {60, false}), " 45%  54/120  2 failed  ETA 12s  1 flaky");
}

TEST(LiveRunBlock, MoreThanAllIsAll) {
  LiveRun run;
  run.done = 7;
  run.total = 5;
  EXPECT_EQ(live_run_block(run, {}), "[########################]  100%  7/5");
}

TEST(LiveRunBlock, NamesCannotSteerTheTerminal) {
  for (const auto& hostile : samples::hostile_run_texts()) {
    auto run = live(1);
    run.running[0].id = run.running[0].worker = hostile;
    const auto block = live_run_block(run, {});
    EXPECT_EQ(lines_of(block).size(), 2U) << hostile;
    EXPECT_FALSE(text::has_hidden(block)) << hostile;
  }
}

}  // namespace
}  // namespace flakestat::report
