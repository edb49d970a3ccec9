#include "base/glob.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace flakestat {
namespace {

using ::testing::ElementsAre;

TEST(GlobMatch, StarQuestionAndClasses) {
  EXPECT_TRUE(glob_match("*Test*::login*", "tests.AuthTest::login_ok"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match("", "a"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_FALSE(glob_match("?", ""));
  EXPECT_TRUE(glob_match("a[b-d]e", "ace"));
  EXPECT_FALSE(glob_match("a[!b-d]e", "ace"));
  EXPECT_TRUE(glob_match("a[^b-d]e", "axe"));
  EXPECT_TRUE(glob_match("[]]", "]"));
  EXPECT_TRUE(glob_match("[a-]", "-"));
  EXPECT_FALSE(glob_match("abc", "ab"));
  EXPECT_FALSE(glob_match("ab", "abc"));
}

TEST(GlobMatch, QuestionIsOneCharacterNotOneByte) {
  EXPECT_TRUE(glob_match("t?st", "tést"));
  EXPECT_TRUE(glob_match("[ä-ü]", "ö"));
  EXPECT_TRUE(glob_match("?", "\xff"));
  EXPECT_FALSE(glob_match("??", "é"));
}

TEST(GlobMatch, UnclosedClassAndEscapesAreLiteral) {
  EXPECT_TRUE(glob_match("a[b", "a[b"));
  EXPECT_TRUE(glob_match("\\*x", "*x"));
  EXPECT_FALSE(glob_match("\\*x", "ax"));
  EXPECT_TRUE(glob_match("a\\", "a\\"));
}

TEST(GlobMatch, FilterTakesAParameterizedNameLiterally) {
  EXPECT_TRUE(filter_match("C::test_login[oauth]", "C::test_login[oauth]"));
  EXPECT_FALSE(glob_match("C::test_login[oauth]", "C::test_login[oauth]"));
}

TEST(GlobMatch, ManyStarsStayCheap) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(glob_match(pattern + "b", std::string(2000, 'a')));
}

TEST(GlobMatchPath, StarsStayInsideASegmentAndDoubleStarsDoNot) {
  EXPECT_TRUE(glob_match_path("target/**/*.xml", "target/a/b/c.xml"));
  EXPECT_TRUE(glob_match_path("target/**/*.xml", "target/c.xml"));
  EXPECT_FALSE(glob_match_path("target/*.xml", "target/a/c.xml"));
  EXPECT_TRUE(glob_match_path("**", "a/b"));
  EXPECT_FALSE(glob_match_path("a/**/b", "a/c"));
  EXPECT_FALSE(glob_match_path("a", "a/b"));
}

TEST(ExpandBraces, NestsAndKeepsOrder) {
  EXPECT_THAT(*expand_braces("a{b,c{d,e}}f{1,}"), ElementsAre("abf1", "abf", "acdf1", "acdf", "acef1", "acef"));
  EXPECT_THAT(*expand_braces("{a}{}"), ElementsAre("{a}{}"));
  EXPECT_THAT(*expand_braces("{a,b"), ElementsAre("{a,b"));
  EXPECT_THAT(*expand_braces("{x{a,b}}"), ElementsAre("{xa}", "{xb}"));
  EXPECT_THAT(*expand_braces("[{,]}"), ElementsAre("[{,]}"));
}

TEST(ExpandBraces, ExplosionIsAnError) {
  std::string bomb;
  for (int i = 0; i < 40; ++i) bomb += "{a,b}";
  EXPECT_FALSE(expand_braces(bomb).ok());
  EXPECT_TRUE(expand_braces(std::string(100'000, '{')).ok());
}

TEST(GlobEscape, RoundTrips) {
  const std::string name = "a[1]*{x,y}?\\";
  EXPECT_FALSE(has_glob_magic(glob_escape(name)));
  EXPECT_EQ(glob_unescape(glob_escape(name)), name);
  EXPECT_TRUE(glob_match(glob_escape(name), name));
}

TEST(GlobMagic, IsFoundOnlyWhereItMeansSomething) {
  EXPECT_TRUE(has_glob_magic("a*"));
  EXPECT_TRUE(has_glob_magic("{a,b}"));
  EXPECT_FALSE(has_glob_magic("{run}.xml"));
  EXPECT_FALSE(has_glob_magic("a\\*b"));
}

}  // namespace
}  // namespace flakestat
