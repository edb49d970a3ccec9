#include "sys/output_capture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace flakestat::sys {
namespace {

TEST(OutputCapture, ShortOutputIsKeptWhole) {
  OutputCapture capture(4, 4);
  capture.append("abc");
  capture.append("defg");
  EXPECT_EQ(capture.text(), "abcdefg");
  EXPECT_EQ(capture.dropped(), 0U);
  EXPECT_EQ(capture.total(), 7U);
}

TEST(OutputCapture, TheMiddleOfLongOutputIsDroppedAndCounted) {
  OutputCapture capture(4, 4);
  capture.append("0123456789");
  EXPECT_EQ(capture.text(), "0123\n[... 2 bytes left out ...]\n6789");
  EXPECT_EQ(capture.dropped(), 2U);
}

TEST(OutputCapture, EveryCutOfTheInputGivesTheSameText) {
  const std::string input = "the quick brown fox jumps over the lazy dog";
  OutputCapture whole(5, 7);
  whole.append(input);
  for (std::size_t step = 1; step < input.size(); ++step) {
    OutputCapture pieces(5, 7);
    for (std::size_t at = 0; at < input.size(); at += step) pieces.append(std::string_view(input).substr(at, step));
    EXPECT_EQ(pieces.text(), whole.text()) << "in steps of " << step;
    EXPECT_EQ(pieces.dropped(), whole.dropped());
  }
}

TEST(OutputCapture, LimitsOfNothingKeepNothingAndSaySo) {
  OutputCapture capture(0, 0);
  capture.append("0123456789");
  EXPECT_EQ(capture.text(), "[... 10 bytes left out ...]\n");
  EXPECT_EQ(capture.last_lines(3), "");
}

// Random limits and pieces (fixed seeds), against all that was ever appended.
TEST(OutputCapture, HoldsFirstAndLastBytesInBoundedMemoryForAnyLimit) {
  constexpr std::size_t kShortString = 2 * 32;  // what a std::string has without asking
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
    const auto limits = share_output_limit(below(seed % 3 == 0 ? 20 : 5000));
    OutputCapture capture(limits.head, limits.tail);
    std::string all;
    while (all.size() < 20'000) {
      const std::string piece(below(seed % 2 == 0 ? 100 : 9000), static_cast<char>('a' + below(26)));
      all += piece;
      capture.append(piece);
      ASSERT_LE(capture.memory(), limits.head + 2 * limits.tail + kShortString) << "seed " << seed;
    }
    ASSERT_EQ(capture.total(), all.size());
    ASSERT_EQ(capture.dropped(), all.size() - limits.head - limits.tail);
    const auto text = capture.text();
    ASSERT_TRUE(text.starts_with(all.substr(0, limits.head))) << "seed " << seed;
    ASSERT_TRUE(text.ends_with(all.substr(all.size() - limits.tail))) << "seed " << seed;
    ASSERT_NE(text.find("[... " + std::to_string(capture.dropped()) + " bytes left out ...]"), std::string::npos);
  }
}

TEST(ShareOutputLimit, AFifthIsForTheBeginning) {
  EXPECT_EQ(share_output_limit(0), (OutputLimits{0, 0}));
  EXPECT_EQ(share_output_limit(1), (OutputLimits{0, 1}));
  EXPECT_EQ(share_output_limit(65536), (OutputLimits{13107, 52429}));
}

TEST(ShareOutputLimit, NoLimitOverflows) {
  const auto limits = share_output_limit(UINT64_MAX);
  EXPECT_GT(limits.tail, std::size_t{1} << (sizeof(std::size_t) * 8 - 4));
  EXPECT_GT(2 * limits.tail, limits.tail);
  OutputCapture capture(limits.head, limits.tail);
  capture.append("kept");
  EXPECT_EQ(capture.text(), "kept");
}

TEST(OutputCapture, LastLinesJoinHeadAndTailWhenNothingWasDropped) {
  OutputCapture capture(8, 8);
  capture.append("one\ntwo\nthree\n");
  EXPECT_EQ(capture.last_lines(2), "two\nthree\n");
}

TEST(OutputCapture, LastLinesOfLongOutputComeFromTheTailOnly) {
  OutputCapture capture(8, 8);
  capture.append("one\ntwo\nthree\nfour\nfive\n");
  EXPECT_EQ(capture.last_lines(1), "five\n");
  EXPECT_EQ(capture.last_lines(9), "ur\nfive\n");
}

TEST(LastLines, CountsLinesWithOrWithoutAFinalNewline) {
  EXPECT_EQ(last_lines("a\nb\nc", 2, 99), "b\nc");
  EXPECT_EQ(last_lines("a\nb\nc\n", 2, 99), "b\nc\n");
  EXPECT_EQ(last_lines("a\nb", 5, 99), "a\nb");
  EXPECT_EQ(last_lines("", 5, 99), "");
  EXPECT_EQ(last_lines("\n", 1, 99), "\n");
  EXPECT_EQ(last_lines("a\nb", 0, 99), "");
}

TEST(LastLines, AnEndlessLineIsCutAtTheFront) { EXPECT_EQ(last_lines("0123456789", 3, 4), "6789"); }

}  // namespace
}  // namespace flakestat::sys
