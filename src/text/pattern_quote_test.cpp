#include "text/pattern_quote.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <regex>
#include <string>
#include <vector>

#include "text/nasty_text.hpp"

namespace flakestat::text {
namespace {

struct Quoted {
  std::string name;
  std::string re2;
  std::string javascript;
  std::string perl_like;
  std::string cmake;
  std::string nextest;
  std::string catch2;
};

// A length: the name itself would break the list of tests.
void PrintTo(const Quoted& row, std::ostream* out) { *out << row.name.size() << " bytes"; }

class QuoteTable : public ::testing::TestWithParam<Quoted> {};

TEST_P(QuoteTable, EachLanguageTakesTheNameLiterally) {
  const auto& row = GetParam();
  EXPECT_EQ(quote_re2(row.name), row.re2);
  EXPECT_EQ(quote_javascript(row.name), row.javascript);
  EXPECT_EQ(quote_perl_like(row.name), row.perl_like);
  EXPECT_EQ(quote_cmake(row.name), row.cmake);
  EXPECT_EQ(quote_nextest(row.name), row.nextest);
  EXPECT_EQ(quote_catch2(row.name), row.catch2);
}

INSTANTIATE_TEST_SUITE_P(
    OddNames, QuoteTable,
    ::testing::Values(Quoted{"[a/b]", "\\[a/b\\]", "\\[a\\/b\\]", "\\[a\\/b\\]", "\\[a/b\\]", "[a\\/b]", "\\[a/b\\]"},
                      Quoted{"p|q", "p\\|q", "p\\|q", "p\\|q", "p\\|q", "p|q", "p|q"},
                      Quoted{"$HOME", "\\$HOME", "\\$HOME", "\\$HOME", "\\$HOME", "$HOME", "$HOME"},
                      Quoted{"it's \"q\"", "it's \"q\"", "it's\\s\"q\"", "it's\\s\"q\"", "it's \"q\"", "it's \"q\"",
                             "it's \\\"q\\\""},
                      Quoted{"nl\nx", "nl\\nx", "nl\\nx", "nl\\nx", "nl\nx", "nl\\nx", "nl\nx"},
                      Quoted{"日本", "日本", "日本", "日本", "日本", "日本", "日本"},
                      Quoted{"f(x), y", "f\\(x\\), y", "f\\(x\\),\\sy", "f\\(x\\),\\sy", "f\\(x\\), y", "f(x\\)\\, y",
                             "f(x)\\, y"},
                      Quoted{"a-b#c", "a-b#c", "a-b#c", "a\\-b\\#c", "a-b#c", "a-b#c", "a-b#c"},
                      Quoted{"*~{}", "\\*~\\{\\}", "\\*~\\{\\}", "\\*~\\{\\}", "\\*~{}", "*~{}", "\\*\\~{}"},
                      Quoted{"x\\y", "x\\\\y", "x\\\\y", "x\\\\y", "x\\\\y", "x\\\\y", "x\\\\y"}),
    [](const auto& param) { return "Row" + std::to_string(param.index); });

TEST(GoPattern, EveryLevelIsMatchedWhole) {
  EXPECT_EQ(go_pattern("TestOdd/a(b)[c]+$"), "^TestOdd$/^a\\(b\\)\\[c\\]\\+\\$$");
  EXPECT_EQ(go_pattern("TestA"), "^TestA$");
}

TEST(QuoteJavascript, AWrittenControlCharacterStandsForBoth) {
  EXPECT_EQ(quote_javascript("a\\x1b[0m"), "a(?:\\\\x1b|\\x1b)\\[0m");
  EXPECT_EQ(quote_javascript("a\\x41"), "a\\\\x41");
}

TEST(QuoteJavascript, TheExpressionMatchesItsNameAndNoOther) {
  // std::regex reads the same grammar, bytes for characters.
  const auto names = hostile_names();
  for (const auto& name : names) {
    const std::regex expression("^(?:" + quote_javascript(name) + ")$");
    for (const auto& other : names)
      EXPECT_EQ(std::regex_match(other, expression), name == other) << name << " / " << other;
  }
}

TEST(QuoteGroovy, NothingEndsTheStringOrIsExpanded) {
  EXPECT_EQ(quote_groovy("p.T$In.it's\\x"), "'p.T\\$In.it\\'s\\\\x'");
  EXPECT_EQ(quote_groovy("a\nb"), "'a\\nb'");
}

TEST(QuoteYaml, IsAStringInQuotesWhateverItHolds) {
  EXPECT_EQ(quote_yaml("no"), "\"no\"");
  EXPECT_EQ(quote_yaml("a: \"b\"\n# c"), "\"a: \\\"b\\\"\\n# c\"");
  EXPECT_EQ(quote_yaml("\x1b"), "\"\\u001b\"");
}

}  // namespace
}  // namespace flakestat::text
