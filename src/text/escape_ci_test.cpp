#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/code_points.hpp"
#include "text/escape.hpp"
#include "text/nasty_text.hpp"

namespace flakestat::text {
namespace {

TEST(EscapeAzure, LineEndsAndPercentInAMessage) {
  EXPECT_EQ(escape_azure_data("50%\r\n##vso[x]y;z"), "50%AZP25%0D%0A##vso[x]y;z");
  EXPECT_EQ(escape_azure_data("%0A"), "%AZP250A");
}

TEST(EscapeAzure, NothingEndsAProperty) {
  EXPECT_EQ(escape_azure_property("a;b]c%d\n\x1b[0m"), "a%3Bb%5Dc%AZP25d%0A\\x1b[0m");
}

TEST(EscapeTeamCity, QuotesBarsAndBrackets) { EXPECT_EQ(escape_teamcity("it's |[x]|\r\n"), "it|'s |||[x|]|||r|n"); }

TEST(EscapeTeamCity, BeyondAsciiAsCodeUnits) {
  EXPECT_EQ(escape_teamcity("\xC3\xA9 \xF0\x9F\x98\x80"), "|0x00e9 |0xd83d|0xde00");
  EXPECT_EQ(escape_teamcity("\xFF"), "|0xfffd");
}

TEST(EscapeTeamCity, HiddenCharactersAreMadeVisible) {
  EXPECT_EQ(escape_teamcity("\x1b[0m\xE2\x80\xAE"), "\\x1b|[0m\\u202e");
}

TEST(DefuseLogCommands, BreaksWhatLooksLikeACommand) {
  EXPECT_EQ(defuse_log_commands("x ##vso[a]##[error]b ##teamcity[c"), "x \\x23#vso[a]\\x23#[error]b \\x23#teamcity[c");
  EXPECT_EQ(defuse_log_commands("## heading #[1] ##1[ #"), "## heading #[1] ##1[ #");
  EXPECT_EQ(defuse_log_commands("###[error]"), "#\\x23#[error]");
}

TEST(DefuseLogCommands, TwiceIsOnce) {
  const auto once = defuse_log_commands("###vso[##[x]");
  EXPECT_EQ(defuse_log_commands(once), once);
}

TEST(DefuseWorkflowLines, BreaksCommandsAtTheStartOfALine) {
  EXPECT_EQ(defuse_workflow_lines("::error::x\n  ::a::\nb ::c::\r::d"),
            "\\x3a:error::x\n  \\x3a:a::\nb ::c::\r\\x3a:d");
  EXPECT_EQ(defuse_workflow_lines("\xC2\xA0::error::x"), "\xC2\xA0\\x3a:error::x");
  EXPECT_EQ(defuse_workflow_lines("##[error]x"), "\\x23#[error]x");
  EXPECT_EQ(defuse_workflow_lines(defuse_workflow_lines("::::x")), defuse_workflow_lines("::::x"));
}

TEST(EscapeTap, NoDirectiveAndNoLineEnd) { EXPECT_EQ(escape_tap("a # SKIP b\\c\nok"), "a \\# SKIP b\\\\c\\\\nok"); }

TEST(EscapeForCi, RandomTextStaysInsideItsQuotes) {
  NastyText nasty(7);
  for (int i = 0; i < random_texts(); ++i) {
    const auto text = nasty.next();
    const auto city = escape_teamcity(text);
    for (std::size_t at = 0; at < city.size(); ++at) {
      ASSERT_TRUE(city[at] >= ' ' && city[at] < 0x7F) << text;
      ASSERT_TRUE(city[at] != '\'' && city[at] != '[' && city[at] != ']') << text;
      if (city[at] == '|') ++at;
    }
    const auto property = escape_azure_property(text);
    ASSERT_EQ(property.find_first_of(";]\r\n"), std::string::npos) << text;
    ASSERT_EQ(escape_azure_data(text).find_first_of("\r\n"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace flakestat::text
