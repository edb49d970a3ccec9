#include "sys/output_capture.hpp"

#include <gtest/gtest.h>

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
