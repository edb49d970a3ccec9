#include "base/clean_text.hpp"

#include <gtest/gtest.h>

#include "base/utf8.hpp"

namespace flakestat {
namespace {

using namespace std::string_literals;

// Field case D12: the rest of a colour code is not left behind as noise.
TEST(CleanLine, AnsiSequencesAreRemovedWhole) {
  EXPECT_EQ(clean_line("\x1b[31mred\x1b[0m"), "red");
  EXPECT_EQ(clean_line("a\x1b[38;2;255;0;0mb\x1b[1;4mc\x1b[Kd"), "abcd");
  EXPECT_EQ(clean_line("\x1b]0;window title\x07text"), "text");
  EXPECT_EQ(clean_line("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(clean_line("\x1bPq#0;2\x1b\\after"), "after");
  EXPECT_EQ(clean_line("\x1b(Bplain\x1b="), "plain");
  EXPECT_EQ(clean_line("\xC2\x9B"
                       "31mred"),
            "red")
      << "8-bit CSI";
  EXPECT_EQ(clean_line("#x1B[31mred#x1B[0m"), "red") << "as pytest writes it";
}

TEST(CleanLine, ASequenceThatIsCutOffIsRemovedToo) {
  EXPECT_EQ(clean_line("red\x1b"), "red");
  EXPECT_EQ(clean_line("red\x1b["), "red");
  EXPECT_EQ(clean_line("red\x1b[38;5"), "red");
  EXPECT_EQ(clean_line("red\x1b]0;titl"), "red");
}

TEST(CleanLine, AnUnendedTitleDoesNotSwallowTheNextLine) { EXPECT_EQ(clean_line("\x1b]0;title\nmessage"), "message"); }

TEST(CleanLine, WhiteSpaceCollapsesAndControlCharactersGo) {
  EXPECT_EQ(clean_line("  a\t\r\n  b\v\fc  "), "a b c");
  EXPECT_EQ(clean_line("x\0y\x08z\x7f"s), "xyz");
  EXPECT_EQ(clean_line("a\xC2\xA0"
                       "b\xE2\x80\xA8"
                       "c"),
            "a b c");
  EXPECT_EQ(clean_line("\xE2\x80\xAE"
                       "abc"),
            "abc")
      << "right-to-left override";
  EXPECT_EQ(clean_line(""), "");
  EXPECT_EQ(clean_line(" \n "), "");
}

TEST(CleanLine, BrokenUtf8IsReplaced) {
  EXPECT_EQ(clean_line("a\xFF"
                       "b"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(CleanLine, TheLimitIsKeptAtACharacterBoundary) {
  for (std::size_t limit = 0; limit < 30; ++limit) {
    const auto line = clean_line("aé €\U0001F600 wörld and more words", limit);
    EXPECT_LE(line.size(), limit);
    EXPECT_TRUE(is_valid_utf8(line));
    EXPECT_FALSE(line.ends_with(' '));
  }
  EXPECT_EQ(clean_line(std::string(5000, 'x')).size(), kMessageLimit);
}

TEST(CleanName, ControlCharactersBecomeVisibleAndStayDistinct) {
  EXPECT_EQ(clean_name("t[\x1b]"), "t[\\x1b]");
  EXPECT_EQ(clean_name("t[\0]"s), "t[\\x00]");
  EXPECT_EQ(clean_name("t\xEF\xBF\xBE"), "t\\ufffe");
  EXPECT_EQ(clean_name("a\xFF"), "a\xEF\xBF\xBD");
  EXPECT_NE(clean_name("t\x01"), clean_name("t\x02"));
}

TEST(CleanName, WhiteSpaceStaysAndCleaningTwiceChangesNothing) {
  EXPECT_EQ(clean_name(" a\n\tb "), " a\n\tb ");
  EXPECT_TRUE(is_clean_name(" a\n\tb é "));
  for (const auto& name : {"x\x1b"s, "\x01\x02"s, "\xEF\xBF\xBF"s, "\xC3"s}) {
    EXPECT_FALSE(is_clean_name(name));
    EXPECT_TRUE(is_clean_name(clean_name(name)));
    EXPECT_EQ(clean_name(clean_name(name)), clean_name(name));
  }
}

}  // namespace
}  // namespace flakestat
