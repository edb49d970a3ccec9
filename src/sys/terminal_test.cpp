#include "sys/terminal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

namespace flakestat::sys {
namespace {

EnvLookup environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(Terminal, ColourNeedsATerminal) {
  EXPECT_TRUE(wants_colour(true, false, environment({})));
  EXPECT_FALSE(wants_colour(false, false, environment({})));
}

TEST(Terminal, FlagNoColorAndDumbTerminalsTurnColourOff) {
  EXPECT_FALSE(wants_colour(true, true, environment({})));
  EXPECT_FALSE(wants_colour(true, false, environment({{"NO_COLOR", "1"}})));
  EXPECT_FALSE(wants_colour(true, false, environment({{"TERM", "dumb"}})));
}

TEST(Terminal, AnEmptyNoColorMeansNothing) {
  EXPECT_TRUE(wants_colour(true, false, environment({{"NO_COLOR", ""}, {"TERM", "xterm"}})));
}

TEST(Terminal, LiveProgressFollowsTheSameRuleWithoutTheFlag) {
  EXPECT_TRUE(wants_live_progress(true, environment({})));
  EXPECT_FALSE(wants_live_progress(true, environment({{"NO_COLOR", "1"}})));
  EXPECT_FALSE(wants_live_progress(false, environment({})));
}

TEST(Terminal, WidthComesFromTheTerminalThenColumnsThenEighty) {
  EXPECT_EQ(layout_columns(132, environment({{"COLUMNS", "99"}})), 132);
  EXPECT_EQ(layout_columns(std::nullopt, environment({{"COLUMNS", "99"}})), 99);
  EXPECT_EQ(layout_columns(std::nullopt, environment({{"COLUMNS", "9x"}})), 80);
  EXPECT_EQ(layout_columns(std::nullopt, environment({})), 80);
  EXPECT_EQ(layout_columns(3, environment({})), 20);
}

TEST(Terminal, APipeIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(is_terminal(ends[0]));
  EXPECT_EQ(terminal_columns(ends[0]), std::nullopt);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace flakestat::sys
