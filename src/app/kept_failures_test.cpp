#include "app/kept_failures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

TEST(KeptNames, OneReportHasAFixedNameAndSeveralKeepTheirPlaces) {
  EXPECT_THAT(kept_names({}), IsEmpty());
  EXPECT_THAT(kept_names({"/a/b/TEST.xml"}), ElementsAre("report.xml"));
  EXPECT_THAT(kept_names({"/p/m1/r/a.xml", "/p/m2/r/a.xml"}), ElementsAre("report/m1/r/a.xml", "report/m2/r/a.xml"));
  EXPECT_THAT(kept_names({"/r/a.xml", "/r/b.xml"}), ElementsAre("report/a.xml", "report/b.xml"));
}

class KeptFailuresTest : public ::testing::Test {
 protected:
  KeptFailuresTest() {
    world_.now = [] { return UnixMillis{0}; };
    world_.warn = [this](std::string_view line) { warnings_ += std::string(line) + "\n"; };
  }
  void ended(KeptFailures& kept, int run, int code, const std::vector<std::string>& reports = {}) {
    run::RunResult result;
    result.run = run;
    result.code = code;
    sys::OutputCapture output;
    output.append("said by " + std::to_string(run) + "\n");
    const std::vector<std::string> argv = {"t"};
    kept.add({result, argv, output, reports}, "cd -- /d && t", "flakestat hunt --replay r:" + std::to_string(run));
  }
  [[nodiscard]] std::string dir() const { return folder_.file("state"); }

  testing::TempDir folder_;
  World world_;
  std::string warnings_;
};

TEST_F(KeptFailuresTest, OutputReportAndCommandOfTheChosenRunStay) {
  KeptFailures kept(world_, dir(), "r/1");
  ended(kept, 1, 1, {folder_.write("out.xml", "<testsuite")});
  ended(kept, 2, 0);
  ended(kept, 3, 1);
  const auto folder = kept.conclude(1);
  ASSERT_EQ(folder, dir() + "/failures/r%2F1-run-1");
  EXPECT_EQ(testing::slurp(*folder + "/output.txt"), "said by 1\n");
  EXPECT_EQ(testing::slurp(*folder + "/report.xml"), "<testsuite");
  EXPECT_EQ(testing::slurp(*folder + "/command.txt"), "cd -- /d && t\n# again: flakestat hunt --replay r:1\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir() + "/failures"), fs::directory_iterator()), 1);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(KeptFailuresTest, WithoutADisagreementNothingStays) {
  KeptFailures kept(world_, dir(), "r");
  ended(kept, 1, 1);
  EXPECT_EQ(kept.conclude(std::nullopt), std::nullopt);
  EXPECT_TRUE(fs::is_empty(dir() + "/failures"));
}

TEST_F(KeptFailuresTest, SeveralReportsKeepTheirPlaces) {
  KeptFailures kept(world_, dir(), "r");
  ended(kept, 1, 1, {folder_.write("m1/a.xml", "1"), folder_.write("m2/a.xml", "2")});
  const auto folder = kept.conclude(1);
  ASSERT_TRUE(folder);
  EXPECT_EQ(testing::slurp(*folder + "/report/m2/a.xml"), "2");
}

TEST_F(KeptFailuresTest, EarlierHuntsLoseTheirOldestOnly) {
  for (int i = 0; i < 25; ++i) {
    const auto name = "state/failures/old-run-" + std::to_string(i);
    folder_.write(name + "/output.txt", "x");
    fs::last_write_time(folder_.file(name), fs::file_time_type::clock::now() - std::chrono::hours(i + 1));
  }
  world_.now = [] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  KeptFailures kept(world_, dir(), "r");
  for (int run = 1; run <= 30; ++run) ended(kept, run, 1);
  EXPECT_TRUE(kept.conclude(30));
  EXPECT_TRUE(fs::exists(dir() + "/failures/old-run-18"));
  EXPECT_FALSE(fs::exists(dir() + "/failures/old-run-19"));
}

TEST_F(KeptFailuresTest, WhatCannotBeKeptIsWarnedOfOnce) {
  folder_.write("state/failures", "a file");
  KeptFailures kept(world_, dir(), "r");
  ended(kept, 1, 1);
  ended(kept, 2, 1);
  EXPECT_THAT(warnings_, HasSubstr("what run 1 left is not kept: "));
  EXPECT_EQ(std::count(warnings_.begin(), warnings_.end(), '\n'), 1);
  EXPECT_EQ(kept.conclude(1), std::nullopt);
}

TEST_F(KeptFailuresTest, NothingIsWrittenOrRemovedBehindALink) {
  const auto precious = folder_.write("elsewhere/a-run-1/precious", "x");
  fs::last_write_time(folder_.file("elsewhere/a-run-1"), fs::file_time_type::clock::now() - std::chrono::hours(5000));
  folder_.write("state/lock", "");
  fs::create_directory_symlink(folder_.file("elsewhere"), dir() + "/failures");
  world_.now = [] { return UnixMillis{4'000'000'000'000}; };
  KeptFailures kept(world_, dir(), "r");
  ended(kept, 1, 1);
  EXPECT_EQ(kept.conclude(1), std::nullopt);
  EXPECT_THAT(warnings_, HasSubstr("failures is a link"));
  EXPECT_TRUE(fs::exists(precious));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.file("elsewhere")), fs::directory_iterator()), 1);
}

TEST_F(KeptFailuresTest, WhatFlakestatDidNotMakeStays) {
  folder_.write("state/failures/notes/n.txt", "x");
  folder_.write("state/failures/old-run-1/output.txt", "x");
  world_.now = [] { return UnixMillis{4'000'000'000'000}; };
  KeptFailures kept(world_, dir(), "r");
  ended(kept, 2, 1);
  (void)kept.conclude(2);
  EXPECT_TRUE(fs::exists(dir() + "/failures/notes/n.txt"));
  EXPECT_FALSE(fs::exists(dir() + "/failures/old-run-1"));
}

}  // namespace
}  // namespace flakestat::app
