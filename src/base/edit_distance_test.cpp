#include "base/edit_distance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace flakestat {
namespace {

TEST(EditDistance, CountsStepsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("runs", "rusn"), 1u);
  EXPECT_EQ(edit_distance("abcd", "acbd"), 1u);
}

TEST(NearestName, FindsTheMisspeltOne) {
  static constexpr std::array<std::string_view, 3> kKnown = {"runs", "parallel", "timeout"};
  EXPECT_EQ(nearest_name("paralel", kKnown), "parallel");
  EXPECT_EQ(nearest_name("Runs", kKnown), "runs");
  EXPECT_EQ(nearest_name("time_out", kKnown), "timeout");
}

TEST(NearestName, NamesNothingThatIsFarAway) {
  static constexpr std::array<std::string_view, 2> kKnown = {"runs", "timeout"};
  EXPECT_EQ(nearest_name("quarantine", kKnown), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1 << 20, 'r'), kKnown), std::nullopt);
}

}  // namespace
}  // namespace flakestat
