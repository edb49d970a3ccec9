#include "testing/golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "testing/temp_dir.hpp"

namespace flakestat::testing {
namespace {

constexpr const char* kFlag = "FLAKESTAT_UPDATE_GOLDEN";

class Golden : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* flag = std::getenv(kFlag)) before = flag;
    ::unsetenv(kFlag);
    dir.write("tests/golden/known.txt", "one\ntwo\n");
  }
  void TearDown() override {
    if (before.empty()) ::unsetenv(kFlag);
    else ::setenv(kFlag, before.c_str(), 1);
  }
  ::testing::AssertionResult compare(std::string_view name, std::string_view actual) {
    return matches_golden(dir.path().string(), name, actual);
  }

  TempDir dir;
  std::string before;
};

TEST_F(Golden, EqualTextMatches) { EXPECT_TRUE(compare("known.txt", "one\ntwo\n")); }

TEST_F(Golden, DifferenceNamesTheLine) {
  const auto result = compare("known.txt", "one\ntvo\n");
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("line 2"), std::string::npos) << result.message();
}

TEST_F(Golden, ShorterAndLongerTextDiffer) {
  EXPECT_FALSE(compare("known.txt", "one\n"));
  EXPECT_FALSE(compare("known.txt", "one\ntwo\nthree\n"));
  EXPECT_FALSE(compare("known.txt", ""));
}

TEST_F(Golden, MissingFileFails) { EXPECT_FALSE(compare("unknown.txt", "x")); }

TEST_F(Golden, UpdateWritesTheFile) {
  ::setenv(kFlag, "1", 1);
  EXPECT_TRUE(compare("deep/new.txt", "fresh\n"));
  EXPECT_EQ(slurp(dir.file("tests/golden/deep/new.txt")), "fresh\n");
}

}  // namespace
}  // namespace flakestat::testing
