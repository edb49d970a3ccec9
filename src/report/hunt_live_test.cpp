#include "report/hunt_live.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LiveHunt hunt() {
  LiveHunt hunt;
  hunt.done = 12;
  hunt.total = 59;
  hunt.failing = 3;
  hunt.eta_ms = 80'000;
  hunt.run_ms = 4200;
  hunt.disagreeing = {{"tests.api.TestAuth::login", 10, 2}};
  return hunt;
}

LiveHunt with_tests(int count) {
  auto live = hunt();
  live.disagreeing.clear();
  for (int i = 1; i <= count; ++i) live.disagreeing.push_back({"t" + std::to_string(i), 1, 1});
  return live;
}

std::size_t lines_of(const std::string& block) { return split(block, '\n').size(); }

TEST(LiveBlock, RunsTimeAndDisagreeingTests) {
  EXPECT_EQ(live_block(hunt(), {}),
            "run 12/59  3 failing  ETA 1m20s  (4.2s a run)\n  tests.api.TestAuth::login  10 P 2 F");
}

TEST(LiveBlock, BeforeTheFirstRunThereIsNoTime) {
  LiveHunt live;
  live.total = 20;
  live.running = 1;
  EXPECT_EQ(live_block(live, {}), "run 0/20  0 failing");
}

TEST(LiveBlock, CopiesBesideEachOtherAreCounted) {
  auto live = hunt();
  live.running = 4;
  EXPECT_THAT(live_block(live, {}), HasSubstr("run 12/59  4 running  3 failing"));
}

TEST(LiveBlock, FiveTestsAreNamedAndTheOthersCounted) {
  const auto block = live_block(with_tests(8), {});
  EXPECT_EQ(lines_of(block), 7U);
  EXPECT_THAT(block, HasSubstr("\n  t5  1 P 1 F\n  and 3 more"));
  EXPECT_THAT(block, Not(HasSubstr("t6")));
}

TEST(LiveBlock, TestsThatAreOnlyCountedAreCounted) {
  auto live = with_tests(5);
  live.others = 995;
  EXPECT_THAT(live_block(live, {}), HasSubstr("\n  t5  1 P 1 F\n  and 995 more"));
  EXPECT_EQ(lines_of(live_block(live, {}, 3)), 3U);
}

TEST(LiveBlock, ItNeverHasMoreLinesThanTheTerminal) {
  for (int tests = 0; tests <= 8; ++tests) {
    for (std::size_t rows = 1; rows <= 9; ++rows) {
      EXPECT_LE(lines_of(live_block(with_tests(tests), {}, rows)), rows) << tests << " tests in " << rows;
    }
  }
  EXPECT_THAT(live_block(with_tests(8), {}, 4), HasSubstr("\n  t2  1 P 1 F\n  and 6 more"));
}

TEST(LiveBlock, NoLineIsWiderThanTheTerminal) {
  auto live = hunt();
  live.disagreeing = {{"ein.sehr.langer.name::\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e", 1000, 2}};
  for (std::size_t width = 1; width <= 60; ++width) {
    const auto block = live_block(live, {width, false});
    for (const auto line : split(block, '\n')) {
      EXPECT_LE(text::display_width(line), width) << line;
    }
  }
  EXPECT_THAT(live_block(live, {40, false}), HasSubstr("\u2026"));
  EXPECT_THAT(live_block(live, {40, false}), HasSubstr("  1000 P 2 F"));
}

TEST(LiveBlock, NamesCannotSteerTheTerminal) {
  auto live = hunt();
  live.disagreeing = {{"evil\x1b[2J\nrun 59/59\x9b\u202e", 1, 1}};
  const auto block = live_block(live, {});
  EXPECT_EQ(lines_of(block), 2U);
  EXPECT_THAT(block, HasSubstr("  evil\\x1b[2J\\nrun 59/59"));
  EXPECT_THAT(block, Not(HasSubstr("\x1b")));
  EXPECT_THAT(block, HasSubstr("\\u202e  1 P 1 F"));
}

}  // namespace
}  // namespace flakestat::report
