#include "text/width.hpp"

#include <gtest/gtest.h>

#include "text/nasty_text.hpp"

namespace flakestat::text {
namespace {

TEST(Width, LettersAreOneColumn) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("test_login[oauth]"), 17U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("привет"), 6U);
}

TEST(Width, EastAsianWideIsTwoAndHalfwidthOne) {
  EXPECT_EQ(display_width("日本語"), 6U);
  EXPECT_EQ(display_width("한국어"), 6U);
  EXPECT_EQ(display_width("ＡＢ"), 4U);
  EXPECT_EQ(display_width("ｱｲ"), 2U);
  EXPECT_EQ(display_width("。"), 2U);
}

TEST(Width, ConjoiningJamoAreOneSyllable) { EXPECT_EQ(display_width("\u1112\u1161\u11AB"), 2U); }

TEST(Width, CombiningMarksTakeNoColumn) {
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("a\u0300\u0301\u0302\u0303b"), 2U);
  EXPECT_EQ(display_width("เมื่อ"), 3U);
}

TEST(Width, AmbiguousIsOne) { EXPECT_EQ(display_width("±§α…"), 4U); }

TEST(Width, EmojiAreTwo) {
  EXPECT_EQ(display_width("🔥"), 2U);
  EXPECT_EQ(display_width("⌚"), 2U);
  EXPECT_EQ(display_width("👍🏽"), 2U);
  EXPECT_EQ(display_width("👩‍👩‍👧‍👦"), 2U);
  EXPECT_EQ(display_width("🏳️‍🌈"), 2U);
  EXPECT_EQ(display_width("👩🏽‍💻"), 2U);
}

TEST(Width, VariationSelectorMakesASymbolAnEmoji) {
  EXPECT_EQ(display_width("❤"), 1U);
  EXPECT_EQ(display_width("❤\uFE0F"), 2U);
  EXPECT_EQ(display_width("✔\uFE0F ok"), 5U);
  EXPECT_EQ(display_width("1\uFE0F\u20E3"), 2U);
  EXPECT_EQ(display_width("a\uFE0F"), 1U);
}

TEST(Width, RegionalIndicatorsPairUp) {
  EXPECT_EQ(display_width("🇩🇪"), 2U);
  EXPECT_EQ(display_width("🇩🇪🇫🇷"), 4U);
  EXPECT_EQ(display_width("🏴󠁧󠁢󠁥󠁮󠁧󠁿"), 2U);
}

TEST(Width, ClustersCoverTheWholeText) {
  NastyText nasty(11);
  for (int i = random_texts(); i > 0; --i) {
    const auto text = nasty.next();
    std::size_t size = 0;
    std::size_t width = 0;
    while (size < text.size()) {
      const auto cluster = next_cluster(std::string_view(text).substr(size));
      ASSERT_GT(cluster.size, 0U);
      ASSERT_LE(cluster.width, 2U);
      size += cluster.size;
      width += cluster.width;
    }
    ASSERT_EQ(size, text.size());
    ASSERT_EQ(width, display_width(text));
  }
}

TEST(Truncate, ShortTextIsUntouched) {
  EXPECT_EQ(truncate("abc", 3), "abc");
  EXPECT_EQ(truncate("日本", 4), "日本");
  EXPECT_EQ(truncate("", 0), "");
}

TEST(Truncate, EllipsisTakesOneColumn) {
  EXPECT_EQ(truncate("abcdef", 4), "abc…");
  EXPECT_EQ(truncate("abcdef", 1), "…");
  EXPECT_EQ(truncate("abcdef", 0), "");
}

TEST(Truncate, MiddleKeepsBothEnds) {
  EXPECT_EQ(truncate("tests.api::test_login", 11, Elide::middle), "tests…login");
  EXPECT_EQ(truncate("abcdef", 2, Elide::middle), "…f");
  EXPECT_EQ(truncate("abcdef", 1, Elide::middle), "…");
}

TEST(Truncate, NeverCutsACluster) {
  EXPECT_EQ(truncate("日本語", 4), "日…");
  EXPECT_EQ(truncate("日本語", 5), "日本…");
  EXPECT_EQ(truncate("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3), "👩‍👩‍👧‍👦…");
  EXPECT_EQ(truncate("e\u0301e\u0301e\u0301", 2), "e\u0301…");
  EXPECT_EQ(truncate("🇩🇪🇫🇷🇪🇸", 4, Elide::middle), "…🇪🇸");
}

TEST(Truncate, ResultAlwaysFits) {
  NastyText nasty(12);
  for (int i = random_texts(); i > 0; --i) {
    const auto text = nasty.next();
    const auto width = static_cast<std::size_t>(i % 20);
    ASSERT_LE(display_width(truncate(text, width)), width);
    ASSERT_LE(display_width(truncate(text, width, Elide::middle)), width);
  }
}

TEST(Truncate, LongClustersAreReadInLinearTime) {
  std::string text = "a";
  for (int i = 0; i < 200'000; ++i) text += "\u0301";
  EXPECT_EQ(display_width(text), 1U);
  EXPECT_EQ(truncate(text + "bc", 2, Elide::end), text + "…");
}

}  // namespace
}  // namespace flakestat::text
