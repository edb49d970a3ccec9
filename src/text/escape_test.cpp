#include "text/escape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "text/code_points.hpp"
#include "text/nasty_text.hpp"

namespace flakestat::text {
namespace {

using namespace std::string_view_literals;

// Every escape promises this much.
::testing::AssertionResult is_harmless(std::string_view text) {
  for (auto rest = text; !rest.empty();) {
    const auto point = next_code_point(rest);
    if (!point.valid) return ::testing::AssertionFailure() << "broken UTF-8 in " << text;
    if (is_hidden(point.value)) return ::testing::AssertionFailure() << "hidden character left in " << text;
    rest.remove_prefix(point.size);
  }
  return ::testing::AssertionSuccess();
}

// The table row splitter of GitHub's Markdown: a pipe without a backslash before it ends a cell.
std::size_t cell_ends(std::string_view cell) {
  std::size_t ends = 0;
  for (std::size_t i = 0; i < cell.size(); ++i) ends += cell[i] == '|' && (i == 0 || cell[i - 1] != '\\');
  return ends;
}

std::string without_pipe_escapes(std::string_view cell) {
  std::string out;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] != '\\' || i + 1 == cell.size() || cell[i + 1] != '|') out += cell[i];
  }
  return out;
}

// CommonMark 6.1: the span that opens at the start, or nothing when its fence is not the last thing in the text.
std::optional<std::string> span_content(std::string_view markdown) {
  const auto fence = markdown.find_first_not_of('`');
  if (fence == 0 || fence == std::string_view::npos) return std::nullopt;
  for (std::size_t at = fence; at < markdown.size();) {
    if (markdown[at] != '`') {
      ++at;
      continue;
    }
    const auto end = std::min(markdown.find_first_not_of('`', at), markdown.size());
    if (end - at == fence) {
      if (end != markdown.size()) return std::nullopt;
      auto content = markdown.substr(fence, at - fence);
      const bool blank = content.find_first_not_of(' ') == std::string_view::npos;
      if (!blank && content.front() == ' ' && content.back() == ' ') content = content.substr(1, content.size() - 2);
      return std::string(content);
    }
    at = end;
  }
  return std::nullopt;
}

TEST(EscapeTerminal, PlainTextIsUntouched) {
  EXPECT_EQ(escape_terminal("tests.api::test_login[a|b\\c]"), "tests.api::test_login[a|b\\c]");
  EXPECT_EQ(escape_terminal("größe 日本 👩‍👩‍👧 שלום"),
            "größe 日本 👩‍👩‍👧 שלום");
  EXPECT_EQ(escape_terminal(""), "");
}

TEST(EscapeTerminal, ControlCharactersBecomeVisible) {
  EXPECT_EQ(escape_terminal("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(escape_terminal("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(escape_terminal(std::string_view("\0\x07\x7f", 3)), "\\x00\\x07\\x7f");
  EXPECT_EQ(escape_terminal("\xC2\x9B"
                            "31m"),
            "\\x9b31m");
}

TEST(EscapeTerminal, EveryBidiControlBecomesVisible) {
  for (const char32_t value : U"\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"sv) {
    std::string text;
    append_utf8(text, value);
    EXPECT_EQ(escape_terminal(text).substr(0, 2), "\\u");
  }
  EXPECT_EQ(escape_terminal("a\xE2\x80\xAE"
                            "b"),
            "a\\u202eb");
}

TEST(EscapeTerminal, InvisibleSpacesBecomeVisibleAndJoinersStay) {
  EXPECT_EQ(escape_terminal("a\xE2\x80\x8B"
                            "b\xEF\xBB\xBF"),
            "a\\u200bb\\ufeff");
  EXPECT_EQ(escape_terminal("क्‍ष"), "क्‍ष");
  EXPECT_EQ(escape_terminal("\xF3\xA0\x80\x81"), "\\U000e0001");
}

TEST(EscapeTerminal, BrokenUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(escape_terminal("a\xFF"
                            "b"),
            "a\uFFFDb");
  EXPECT_EQ(escape_terminal("\xC3"), "\uFFFD");
  EXPECT_EQ(escape_terminal("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(escape_terminal("\xC0\x9B"), "\uFFFD\uFFFD");            // an overlong ESC
}

TEST(EscapeTerminal, NothingHiddenSurvivesAndTwiceIsOnce) {
  NastyText nasty(1);
  for (int i = random_texts(); i > 0; --i) {
    const auto escaped = escape_terminal(nasty.next());
    ASSERT_TRUE(is_harmless(escaped));
    ASSERT_EQ(escape_terminal(escaped), escaped);
  }
}

TEST(TerminalLines, ColourGoesAndLinesStay) {
  EXPECT_EQ(terminal_lines("\x1b[31mFAILED\x1b[0m x\r\n\tat y\n"), (std::vector<std::string>{"FAILED x", "    at y"}));
  EXPECT_EQ(terminal_lines("10%\r20%\rdone\n\n\n"), (std::vector<std::string>{"10%", "20%", "done"}));
  EXPECT_EQ(terminal_lines(""), std::vector<std::string>{});
  EXPECT_EQ(terminal_lines("\n\nend"), (std::vector<std::string>{"", "", "end"}));
}

TEST(TerminalLines, NothingHiddenSurvives) {
  NastyText nasty(2);
  for (int i = random_texts(); i > 0; --i) {
    for (const auto& line : terminal_lines(nasty.next() + nasty.next())) ASSERT_TRUE(is_harmless(line));
  }
}

TEST(StripAnsi, SequencesAreRemovedWhole) {
  EXPECT_EQ(strip_ansi("a\x1b[1;31mb\x1b[0mc"), "abc");
  EXPECT_EQ(strip_ansi("\x1b[?25l\x1b[2K\x1b[1Gx"), "x");
  EXPECT_EQ(strip_ansi("\x1b]8;;https://e.example\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(strip_ansi("\x1b]0;title\ax"), "x");
  EXPECT_EQ(strip_ansi("\x1b(Bx\x1b"
                       "7y"),
            "xy");
  EXPECT_EQ(strip_ansi("\xC2\x9B"
                       "31mx\xC2\x9D"
                       "0;t\xC2\x9Cy"),
            "xy");
}

TEST(StripAnsi, WhatNeverEndsIsKept) {
  EXPECT_EQ(strip_ansi("\x1b]0;title\nnext"), "\x1b]0;title\nnext");
  EXPECT_EQ(strip_ansi("end\x1b"), "end\x1b");
  EXPECT_EQ(strip_ansi("\x1b[31"), "\x1b[31");
  EXPECT_EQ(strip_ansi("größe"), "größe");
}

TEST(StripAnsi, ManyOpenStringsAreReadInLinearTime) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "\x1b]";
  EXPECT_EQ(strip_ansi(text).size(), text.size());
}

TEST(EscapeMarkdown, NameIsACodeSpan) {
  EXPECT_EQ(escape_markdown_code("test_login"), "`test_login`");
  EXPECT_EQ(escape_markdown_code("a`b"), "``a`b``");
  EXPECT_EQ(escape_markdown_code("`a"), "`` `a ``");
  EXPECT_EQ(escape_markdown_code(" a "), "`  a  `");
  EXPECT_EQ(escape_markdown_code("<b>@octocat</b>\n"), "`<b>@octocat</b>\\n`");
  EXPECT_EQ(escape_markdown_code(""), "` `");
}

TEST(EscapeMarkdown, PipesDoNotEndACell) {
  EXPECT_EQ(escape_markdown_cell("a|b||"), "`a\\|b\\|\\|`");
  EXPECT_EQ(escape_markdown_cell("a\\|b"), "`a\\\\|b`");
}

TEST(EscapeMarkdown, CellIsOneSpanInOneRowThatReadsAsTheText) {
  NastyText nasty(3);
  for (int i = random_texts(); i > 0; --i) {
    const auto text = nasty.next();
    const auto cell = escape_markdown_cell(text);
    ASSERT_TRUE(is_harmless(cell));
    ASSERT_EQ(cell_ends(cell), 0U) << cell;
    const auto content = span_content(without_pipe_escapes(cell));
    ASSERT_TRUE(content.has_value()) << cell;
    const auto shown = escape_terminal(text);
    ASSERT_EQ(*content, shown.empty() ? " " : shown);
  }
}

TEST(EscapeHtml, MarkupAndQuotesAreInert) {
  EXPECT_EQ(escape_html_text("<a href=\"x\">&amp;'\x1b"), "&lt;a href=&quot;x&quot;&gt;&amp;amp;&#39;\\x1b");
  NastyText nasty(4);
  for (int i = random_texts(); i > 0; --i) {
    const auto escaped = escape_html_attribute(nasty.next());
    ASSERT_TRUE(is_harmless(escaped));
    ASSERT_EQ(escaped.find_first_of("<>\"'"), std::string::npos);
  }
}

TEST(EscapeWorkflow, CommandCannotBeLeft) {
  EXPECT_EQ(escape_workflow_data("50% done\r\n::error::x"), "50%25 done%0D%0A::error::x");
  EXPECT_EQ(escape_workflow_property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
  NastyText nasty(5);
  for (int i = random_texts(); i > 0; --i) {
    const auto text = nasty.next();
    ASSERT_TRUE(is_harmless(escape_workflow_data(text)));
    const auto property = escape_workflow_property(text);
    ASSERT_TRUE(is_harmless(property));
    ASSERT_EQ(property.find_first_of(":,"), std::string::npos);
  }
}

}  // namespace
}  // namespace flakestat::text
