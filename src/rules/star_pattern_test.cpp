#include "rules/star_pattern.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace flakestat::rules {
namespace {

bool matches(std::string_view pattern, std::string_view text) { return StarPattern(pattern).matches(text); }

TEST(StarPattern, OnlyTheStarIsSpecial) {
  EXPECT_TRUE(matches("test_x[a?]", "test_x[a?]"));
  EXPECT_FALSE(matches("test_x[a?]", "test_xa"));
  EXPECT_FALSE(matches("a?c", "abc"));
  EXPECT_TRUE(matches("a\\*", "a\\b"));
  EXPECT_FALSE(matches("a\\*", "a*"));
}

TEST(StarPattern, AStarIsAnyRunAlsoAnEmptyOne) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*", "a"));
  EXPECT_TRUE(matches("*b*", "abc"));
  EXPECT_TRUE(matches("a**c", "abc"));
  EXPECT_FALSE(matches("ab*ba", "aba"));
  EXPECT_TRUE(matches("tests/*::test_x[[]*", "tests/a/b.py::test_x[[]q]"));
  EXPECT_TRUE(matches("*aab*", "aaaaab"));
}

TEST(StarPattern, EmptyMatchesOnlyEmpty) {
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
}

TEST(StarPattern, HostilePatternsCostNoMoreThanTheirLength) {
  std::string pattern;
  for (int i = 0; i < 5000; ++i) pattern += "*aaaaaaab";
  const std::string text(1'000'000, 'a');
  EXPECT_FALSE(matches(pattern + "*", text));
  EXPECT_FALSE(matches("*" + std::string(100'000, 'a') + "b*", text));
}

// The obvious recursive rule, for small inputs.
bool slow(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') return slow(pattern.substr(1), text) || (!text.empty() && slow(pattern, text.substr(1)));
  return !text.empty() && pattern.front() == text.front() && slow(pattern.substr(1), text.substr(1));
}

TEST(StarPattern, AgreesWithTheObviousRule) {
  std::mt19937 random(7);
  const auto word = [&random](std::string_view letters, unsigned most) {
    std::string out;
    for (auto left = random() % most; left > 0; --left) out += letters[random() % letters.size()];
    return out;
  };
  for (int i = 0; i < 20'000; ++i) {
    const auto pattern = word("ab*", 7);
    const auto text = word("ab", 8);
    ASSERT_EQ(matches(pattern, text), slow(pattern, text)) << pattern << " / " << text;
  }
}

}  // namespace
}  // namespace flakestat::rules
