#include "run/suite_level.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/identity.hpp"

namespace flakestat::run {
namespace {

using ::testing::EndsWith;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(SuiteLevelName, IsTheCommandLineAsAShellWouldNeedIt) {
  EXPECT_EQ(suite_level_name({"./run", "-k", "a b", "", "it's", "{run}"}), R"(./run -k 'a b' '' 'it'\''s' {run})");
}

TEST(SuiteLevelName, BytesThatAreNoPrintableTextAreEscaped) {
  EXPECT_EQ(suite_level_name({"x\x1b[31m", "\xff", "日本"}), R"('x\x1b[31m' '\xff' '日本')");
  EXPECT_EQ(suite_level_name({"a\nb"}), R"('a\x0ab')");
}

TEST(SuiteLevelName, LongOnesAreCutAndStayDistinct) {
  const auto one = suite_level_name({std::string(300, 'a') + "1"});
  const auto two = suite_level_name({std::string(300, 'a') + "2"});
  EXPECT_THAT(one, StartsWith(std::string(200, 'a') + "...#"));
  EXPECT_THAT(one, SizeIs(220));
  EXPECT_NE(one, two);
}

TEST(SuiteLevelName, TheCutDoesNotSplitACharacter) {
  const auto name = suite_level_name({std::string(198, 'a') + std::string("日日") + std::string(100, 'b')});
  EXPECT_THAT(name, StartsWith("'" + std::string(198, 'a') + "...#"));
}

TEST(SuiteLevelCase, IsDisplayedWithItsSuite) {
  const auto result = suite_level_case({"make", "test"}, Status::fail, "exit\ncode 2", 12);
  EXPECT_EQ(display_name(result.suite, result.class_name, result.name), "(command)::make test");
  EXPECT_EQ(result.message, R"(exit\x0acode 2)");
  EXPECT_EQ(result.duration_ms, 12);
}

TEST(Printable, IsBoundedAndNeverCutsAnEscape) {
  EXPECT_EQ(printable("abc", 2), "ab");
  EXPECT_EQ(printable("a\x01", 4), "a");
  EXPECT_THAT(printable(std::string(5000, 'x')), SizeIs(1024));
}

}  // namespace
}  // namespace flakestat::run
