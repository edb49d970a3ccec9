#include "store/baseline_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;
using testing::slurp;
using testing::TempDir;

Baseline sample() {
  return {"bayes",
          {{TestId{0xab}, "s", "C", "plain", "flaky", 0.25},
           {TestId{0xab8f1d22c186d5b5}, "", "", "odd \"\x1b[31m\n\xE2\x80\xAE|`<b>", "flaky", 0.1}}};
}

TEST(BaselineFile, WhatIsWrittenIsRead) {
  const TempDir dir;
  const auto path = dir.file("new/folder/baseline.json");
  ASSERT_TRUE(write_baseline(path, sample()));
  EXPECT_EQ(read_baseline(path).value(), sample());
}

TEST(BaselineFile, TheBytesAreStableAndSorted) {
  auto baseline = sample();
  EXPECT_EQ(encode_baseline(baseline), encode_baseline(parse_baseline(encode_baseline(baseline), "b").value()));
  EXPECT_LT(encode_baseline(baseline).find("00000000000000ab"), encode_baseline(baseline).find("ab8f1d22c186d5b5"));
}

TEST(BaselineFile, ReplacedWholeAndNothingElseIsLeft) {
  const TempDir dir;
  const auto path = dir.write("baseline.json", "old");
  ASSERT_TRUE(write_baseline(path, sample()));
  EXPECT_EQ(slurp(path), encode_baseline(sample()));
  const auto files = std::distance(std::filesystem::directory_iterator(dir.path()), {});
  EXPECT_EQ(files, 1);
}

TEST(BaselineFile, AFileThatIsNotThereIsNothing) {
  const TempDir dir;
  EXPECT_FALSE(read_baseline(dir.file("none.json")).value().has_value());
}

TEST(BaselineFile, WithoutAModelItIsThePredecessors) {
  const auto found = parse_baseline(R"({"version":1,"updated":"2026-01-01T00:00:00Z","tests":{
      "ab8f1d22c186d5b5":{"name":"t","verdict":"flaky","score":0.5}}})",
                                    "b");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->model, "flip-rate");
  EXPECT_EQ(found->tests.front(), (AcceptedTest{TestId{0xab8f1d22c186d5b5}, "", "", "t", "flaky", 0.5}));
}

TEST(BaselineFile, ANewerVersionIsAConfigurationError) {
  const auto found = parse_baseline(R"({"version":2,"tests":{}})", "dir/baseline.json");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::config);
  EXPECT_THAT(found.error().message, HasSubstr("dir/baseline.json: version 2"));
}

TEST(BaselineFile, DamageNamesFileReasonAndMend) {
  const std::string wrong[] = {
      "",
      "nonsense",
      "[]",
      "{}",
      R"({"version":1})",
      R"({"version":1,"model":7,"tests":{}})",
      R"({"version":1,"tests":{"12":{"name":"t"}}})",
      R"({"version":1,"tests":{"ab8f1d22c186d5b5":[]}})",
      R"({"version":1,"tests":{"ab8f1d22c186d5b5":{}}})",
      R"({"version":1,"tests":{"ab8f1d22c186d5b5":{"name":"t","score":-0.1}}})",
      R"({"version":1,"tests":{"ab8f1d22c186d5b5":{"name":"t","score":"x"}}})",
      R"({"version":1,"tests":{"ab8f1d22c186d5b5":{"name":"t"},"AB8F1D22C186D5B5":{"name":"u"}}})",
      "<<<<<<< HEAD\n{}",
      std::string(100000, '[')};
  for (const auto& json : wrong) {
    const auto found = parse_baseline(json, "b.json");
    ASSERT_FALSE(found) << json;
    EXPECT_EQ(found.error().kind, ErrorKind::damaged) << json;
    EXPECT_THAT(found.error().message, HasSubstr("b.json: "));
    EXPECT_THAT(found.error().message, HasSubstr("--update-baseline"));
  }
}

TEST(BaselineFile, EveryTruncationIsRefused) {
  const auto whole = encode_baseline(sample());
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    EXPECT_FALSE(parse_baseline(std::string_view(whole).substr(0, size), "b")) << size;
  }
}

TEST(BaselineFile, AByteOrderMarkIsNoDamage) {
  EXPECT_EQ(parse_baseline("\xef\xbb\xbf" + encode_baseline(sample()), "b").value(), sample());
}

}  // namespace
}  // namespace flakestat::store
