#include "app/output_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> lines_of(const std::vector<std::string_view>& pieces) {
  std::vector<std::string> lines;
  OutputLines out([&](const std::string& line) { lines.push_back(line); });
  for (const auto piece : pieces) out.add(piece);
  out.finish();
  return lines;
}

TEST(OutputLines, EveryCutOfTheOutputGivesTheSameLines) {
  const std::string text = "one\n\ntwo\r\n\x1b[31mthree\x1b[0m";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view whole = text;
    EXPECT_THAT(lines_of({whole.substr(0, cut), whole.substr(cut)}), ElementsAre("one", "", "two", "three")) << cut;
  }
}

TEST(OutputLines, ControlCharactersAreEscaped) {
  EXPECT_THAT(lines_of({"a\x07\x1b]0;title"}), ElementsAre("a\\x07\\x1b]0;title"));
}

TEST(OutputLines, ALineWithoutAnEndComesInParts) {
  const auto lines = lines_of({std::string(150'000, 'x')});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].size() + lines[1].size() + lines[2].size(), 150'000U);
}

}  // namespace
}  // namespace flakestat::app
