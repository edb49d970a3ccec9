#include "text/style.hpp"

#include <gtest/gtest.h>

namespace flakestat::text {
namespace {

TEST(Paint, NoColourNoSequence) {
  EXPECT_EQ(paint("x", Tone::bad, false), "x");
  EXPECT_EQ(paint("x", Tone::plain, true), "x");
  EXPECT_EQ(paint("", Tone::bad, true), "");
}

TEST(Paint, EveryToneIsReset) {
  for (const auto tone : {Tone::strong, Tone::faint, Tone::good, Tone::warning, Tone::bad}) {
    const auto painted = paint("x", tone, true);
    EXPECT_TRUE(painted.starts_with("\x1b["));
    EXPECT_TRUE(painted.ends_with("x\x1b[0m"));
  }
}

}  // namespace
}  // namespace flakestat::text
