#include "base/edit_distance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
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

TEST(EditDistance, WithinALimitIsTheSameOrNothing) {
  std::uint64_t state = 7;
  const auto random_word = [&state] {
    std::string word;
    for (auto size = (state = state * 6364136223846793005U + 1442695040888963407U) >> 33U; size % 13 != 0; size /= 3) {
      word += static_cast<char>('a' + size % 3);
    }
    return word;
  };
  for (int i = 0; i < 3000; ++i) {
    const auto a = random_word();
    const auto b = random_word();
    const auto steps = edit_distance(a, b);
    for (std::size_t most = 0; most < 12; ++most) {
      const auto within = edit_distance_within(a, b, most);
      ASSERT_EQ(within, steps <= most ? std::optional(steps) : std::nullopt) << a << ' ' << b << ' ' << most;
    }
  }
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
