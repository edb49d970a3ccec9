#include "text/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "testing/lines.hpp"
#include "text/nasty_text.hpp"
#include "text/width.hpp"

namespace flakestat::text {
namespace {

Table two_columns() { return Table({{"RUNS", Align::right}, {"TEST", Align::left}}); }

TEST(Table, ColumnsAlignByDisplayWidth) {
  Table table({{"NAME", Align::left}, {"N", Align::right}, {"END", Align::left}});
  table.add_row({{"日本"}, {"1"}, {"x"}});
  table.add_row({{"abc"}, {"100"}, {"y"}});
  EXPECT_EQ(table.render({}),
            "NAME    N  END\n"
            "日本    1  x\n"
            "abc   100  y\n");
}

TEST(Table, OnlyTitlesWithoutRows) { EXPECT_EQ(two_columns().render({}), "RUNS  TEST\n"); }

TEST(Table, NothingIsCutWithoutAWidth) {
  auto table = two_columns();
  const std::string name(500, 'x');
  table.add_row({{"1"}, {name}});
  EXPECT_NE(table.render({}).find(name), std::string::npos);
}

TEST(Table, LastColumnIsCutInTheMiddleToTheWidth) {
  auto table = two_columns();
  table.add_row({{"1"}, {"tests.api.TestLogin::test_login[oauth]"}});
  EXPECT_EQ(table.render({.width = 30}), "RUNS  TEST\n   1  tests.api.T…login[oauth]\n");
}

TEST(Table, MarkSurvivesTheCut) {
  auto table = two_columns();
  table.add_row({{"1"}, {"tests.api.TestLogin::test_login[oauth]", Tone::plain, "(possibly fixed)"}});
  const auto lines = flakestat::testing::lines_of(table.render({.width = 50}));
  EXPECT_TRUE(lines.at(1).ends_with("…_login[oauth]  (possibly fixed)")) << lines.at(1);
  EXPECT_EQ(display_width(lines.at(1)), 50U);
}

TEST(Table, TooNarrowTerminalStillShowsSomeOfTheName) {
  auto table = two_columns();
  table.add_row({{"1"}, {"tests.api.TestLogin::test_login[oauth]"}});
  EXPECT_EQ(flakestat::testing::lines_of(table.render({.width = 3})).at(1), "   1  tests.a…n[oauth]");
}

TEST(Table, ColourDoesNotMoveColumns) {
  Table table({{"VERDICT", Align::left}, {"TEST", Align::left}});
  table.add_row({{"flaky", Tone::warning}, {"a"}});
  EXPECT_EQ(table.render({.width = 80, .colour = true}),
            "\x1b[1mVERDICT\x1b[0m  \x1b[1mTEST\x1b[0m\n"
            "\x1b[33mflaky\x1b[0m    a\n");
}

TEST(Table, HostileTextStaysInItsRowAndWidth) {
  NastyText nasty(21);
  auto table = two_columns();
  for (int i = 0; i < 500; ++i) table.add_row({{"7"}, {nasty.next()}});
  const auto lines = flakestat::testing::lines_of(table.render({.width = 40}));
  ASSERT_EQ(lines.size(), 501U);
  for (const auto& line : lines) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    EXPECT_LE(display_width(line), 40U);
  }
}

}  // namespace
}  // namespace flakestat::text
