#include "base/strings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Strings, TrimRemovesWhiteSpaceAtBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Strings, CaseIsAsciiOnly) {
  EXPECT_EQ(ascii_lower("OS.Name Ä"), "os.name Ä");
  EXPECT_TRUE(equals_ignoring_case("True", "tRUE"));
  EXPECT_FALSE(equals_ignoring_case("true", "true "));
}

TEST(Strings, SplitKeepsEmptyParts) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Strings, QuotedShowsNoControlCharacterAndIsBounded) {
  EXPECT_EQ(in_quotes("a\x1b[31m\"\\"), "\"a\\x1b[31m\\\"\\\\\"");
  EXPECT_EQ(in_quotes(std::string(200, 'x')), '"' + std::string(80, 'x') + "...\"");
  EXPECT_EQ(in_quotes(std::string(79, 'x') + "äy"), '"' + std::string(79, 'x') + "...\"");
}

TEST(SplitCommand, SplitsByBlanksAndKeepsQuotedBlanks) {
  EXPECT_THAT(*split_command("  pytest   -q  "), ElementsAre("pytest", "-q"));
  EXPECT_THAT(*split_command("a\tb\nc"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(*split_command("p --x=\"r/a b.xml\" 'c \"d'"), ElementsAre("p", "--x=r/a b.xml", "c \"d"));
  EXPECT_THAT(*split_command("echo \"\" x"), ElementsAre("echo", "", "x"));
  EXPECT_THAT(*split_command(""), IsEmpty());
}

TEST(SplitCommand, ExpandsNothing) {
  EXPECT_THAT(*split_command("echo $HOME *.xml `id` a\\ b ; x"),
              ElementsAre("echo", "$HOME", "*.xml", "`id`", "a\\", "b", ";", "x"));
}

TEST(SplitCommand, OpenQuoteAndNulAreErrors) {
  EXPECT_THAT(split_command("p --x=\"open").error().message, HasSubstr("quote is not closed"));
  EXPECT_FALSE(split_command(std::string_view("a\0b", 3)).ok());
}

}  // namespace
}  // namespace flakestat
