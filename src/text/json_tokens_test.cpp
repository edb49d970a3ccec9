#include "text/json_tokens.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace flakestat::text {
namespace {

using ::testing::ElementsAre;

// Text with the padding that the tokens need behind it.
class Padded {
 public:
  explicit Padded(std::string_view text) : size_(text.size()), bytes_(text) {
    bytes_.append(JsonTokens::kPadding, '"');
  }
  [[nodiscard]] std::string_view view() const { return std::string_view(bytes_).substr(0, size_); }

 private:
  std::size_t size_;
  std::string bytes_;
};

std::vector<std::uint32_t> positions(std::string_view text) {
  const Padded padded(text);
  JsonTokens tokens;
  EXPECT_TRUE(tokens.index(padded.view())) << text;
  return {tokens.positions().begin(), tokens.positions().end()};
}

bool is_refused(std::string_view text) {
  const Padded padded(text);
  JsonTokens tokens;
  return !tokens.index(padded.view()) && tokens.positions().empty();
}

TEST(JsonTokens, BracketsQuotesAndScalarsHaveOnePositionEach) {
  EXPECT_THAT(positions(R"({"a":"b\"{",  "c" :[12,true]})"),
              ElementsAre(0, 1, 4, 5, 11, 14, 18, 19, 20, 22, 23, 27, 28));
}

TEST(JsonTokens, SeveralDocumentsInOneTextFollowEachOther) {
  EXPECT_THAT(positions("{\"a\":1}\n{\"b\":2}\n"), ElementsAre(0, 1, 4, 5, 6, 8, 9, 12, 13, 14));
}

TEST(JsonTokens, AStringThatGoesOverALineEndIsRefused) { EXPECT_TRUE(is_refused("{\"a\n\":1}")); }
TEST(JsonTokens, AnOpenStringIsRefused) { EXPECT_TRUE(is_refused("{\"a")); }
TEST(JsonTokens, BrokenUtf8IsRefused) { EXPECT_TRUE(is_refused("{\"a\xE9\":1}")); }
TEST(JsonTokens, TextWithoutTokensIsRefused) {
  EXPECT_TRUE(is_refused(""));
  EXPECT_TRUE(is_refused(" \n"));
}

TEST(JsonTokens, WordsBehindAStringAreTokensOfTheirOwn) {
  EXPECT_THAT(positions(R"({"a":"b"c})"), ElementsAre(0, 1, 4, 5, 8, 9));
}

TEST(JsonTokens, ALongerTextAfterAShorterOneIsFine) {
  JsonTokens tokens;
  const Padded small("{}");
  const Padded large("[" + std::string(100'000, ' ') + "]");
  EXPECT_TRUE(tokens.index(small.view()));
  EXPECT_TRUE(tokens.index(large.view()));
  EXPECT_THAT(tokens.positions(), ElementsAre(0, 100'001));
}

TEST(JsonTokens, UnescapeWritesTheTextAndMovesOn) {
  const Padded padded(R"("a\u00e9\n\ud800" "\q")");
  JsonTokens tokens;
  ASSERT_TRUE(tokens.index(padded.view()));
  std::array<unsigned char, 32 + JsonTokens::kPadding> memory{};
  auto* to = memory.data();
  std::string_view text;
  ASSERT_TRUE(tokens.unescape(padded.view().data(), to, text));
  EXPECT_EQ(text, "a\xC3\xA9\n\xEF\xBF\xBD");
  EXPECT_EQ(to, memory.data() + text.size());
  EXPECT_FALSE(tokens.unescape(padded.view().data() + tokens.positions()[1], to, text));
}

}  // namespace
}  // namespace flakestat::text
