#include "model/exec_key.hpp"

#include <gtest/gtest.h>

namespace flakestat {
namespace {

const Sha256Digest kReport = sha256("<testsuite/>");
const TestId kTest = test_id("s", "s", "t");

TEST(ExecKey, IsTheDigestOfTheDocumentedSequence) {
  const ReportKeys keys({{"os", "linux"}}, "a.xml", kReport);
  const std::string hex = hex_prefix(kReport, 32);
  const auto head = "9:os=linux\n5:a.xml64:" + hex;
  EXPECT_EQ(keys.artifact(), hex_prefix(sha256(head), 16));
  EXPECT_EQ(keys.exec_key(kTest, 11), hex_prefix(sha256(head + "16:e12be88245622a3c2:11"), 8));
}

TEST(ExecKey, EveryPartMatters) {
  const auto key = ReportKeys({{"os", "linux"}}, "a.xml", kReport).exec_key(kTest, 0);
  EXPECT_NE(key, ReportKeys({{"os", "mac"}}, "a.xml", kReport).exec_key(kTest, 0));
  EXPECT_NE(key, ReportKeys({{"os", "linux"}}, "b.xml", kReport).exec_key(kTest, 0));
  EXPECT_NE(key, ReportKeys({{"os", "linux"}}, "a.xml", sha256("x")).exec_key(kTest, 0));
  EXPECT_NE(key, ReportKeys({{"os", "linux"}}, "a.xml", kReport).exec_key(kTest, 1));
  EXPECT_NE(key, ReportKeys({{"os", "linux"}}, "a.xml", kReport).exec_key(test_id("s", "s", "u"), 0));
}

TEST(ExecKey, EmptyDimensionsDoNotCount) {
  EXPECT_EQ(ReportKeys({{"os", ""}}, "a", kReport).artifact(), ReportKeys({}, "a", kReport).artifact());
}

TEST(ExecKey, PartsCannotRunIntoEachOther) {
  EXPECT_NE(run_exec_key("r1", 1, 1, kTest), run_exec_key("r11", 1, 1, kTest));
  EXPECT_NE(run_exec_key("r", 1, 11, kTest), run_exec_key("r", 11, 1, kTest));
  EXPECT_EQ(run_exec_key("r", 0, 2, kTest), hex_prefix(sha256("1:r1:01:216:e12be88245622a3c"), 8));
}

}  // namespace
}  // namespace flakestat
