#include "store/whole_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "testing/temp_dir.hpp"

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::slurp;

class WholeRuns : public ::testing::Test {
 protected:
  [[nodiscard]] std::string dir() const { return folder_.file("state"); }
  [[nodiscard]] std::string file() const { return dir() + "/whole_runs.json"; }
  [[nodiscard]] std::size_t tests_of(const WholeRunKey& key) const {
    const auto run = last_whole_run(dir(), key);
    return run ? run->tests : 0;
  }

  testing::TempDir folder_;
  const WholeRunKey key_{"web", {"npm", "test"}};
};

TEST_F(WholeRuns, TheNewestRunOfACommandIsKnown) {
  EXPECT_FALSE(last_whole_run(dir(), key_));
  ASSERT_TRUE(remember_whole_run(dir(), key_, {40, "c1", 1000}));
  ASSERT_TRUE(remember_whole_run(dir(), key_, {41, "c2+ab", 2000}));
  const auto run = last_whole_run(dir(), key_);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->tests, 41U);
  EXPECT_EQ(run->code, "c2+ab");
  EXPECT_EQ(run->ended, 2000);
}

TEST_F(WholeRuns, FolderAndEveryWordTellCommandsApart) {
  ASSERT_TRUE(remember_whole_run(dir(), key_, {1, "c", 1}));
  for (const WholeRunKey& other : {WholeRunKey{"", {"npm", "test"}}, WholeRunKey{"web", {"npm", "tes", "t"}},
                                   WholeRunKey{"web", {"npm test"}}, WholeRunKey{"web", {"npm"}}}) {
    EXPECT_FALSE(last_whole_run(dir(), other));
  }
}

TEST_F(WholeRuns, CommandsAreNotWrittenDown) {
  ASSERT_TRUE(remember_whole_run(dir(), {"", {"t", "--token=s3cret"}}, {1, "c", 1}));
  EXPECT_THAT(slurp(file()), Not(HasSubstr("s3cret")));
}

TEST_F(WholeRuns, WhatCannotBeReadIsAsIfItWereNotThere) {
  ASSERT_TRUE(remember_whole_run(dir(), key_, {7, "c", 1}));
  const auto whole = slurp(file());
  for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
    folder_.write("state/whole_runs.json", whole.substr(0, length));
    EXPECT_FALSE(last_whole_run(dir(), key_)) << length;
  }
  for (const auto* bad : {R"([])", R"({"runs":[]})", R"({"runs":{"x":1}})", "\xff\xfe", "null"}) {
    folder_.write("state/whole_runs.json", bad);
    EXPECT_FALSE(last_whole_run(dir(), key_)) << bad;
  }
  ASSERT_TRUE(remember_whole_run(dir(), key_, {8, "c", 2}));
  EXPECT_EQ(tests_of(key_), 8U);
}

TEST_F(WholeRuns, TheOldestOfMoreThan200CommandsIsForgotten) {
  for (int i = 0; i < 201; ++i) {
    const auto number = std::to_string(i);
    ASSERT_TRUE(remember_whole_run(dir(), {"", {number}}, {1, "c", i == 0 ? 5000 : i}));
  }
  EXPECT_EQ(tests_of({"", {"0"}}), 1U) << "the first to be written, but the newest";
  EXPECT_EQ(tests_of({"", {"1"}}), 0U);
  EXPECT_EQ(tests_of({"", {"2"}}), 1U);
  EXPECT_EQ(tests_of({"", {"200"}}), 1U);
}

TEST_F(WholeRuns, WritersAtTheSameTimeLoseNothing) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      const auto number = std::to_string(i);
      EXPECT_TRUE(remember_whole_run(dir(), {"", {number}}, {10, "c", 1}));
    });
  }
  for (auto& writer : writers) writer.join();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(tests_of({"", {std::to_string(i)}}), 10U) << i;
}

TEST_F(WholeRuns, NothingIsWrittenBehindALink) {
  const auto target = folder_.write("elsewhere.json", "mine");
  std::filesystem::create_directories(dir());
  std::filesystem::create_symlink(target, file());
  const auto kept = remember_whole_run(dir(), key_, {1, "c", 1});
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().kind, ErrorKind::io);
  EXPECT_EQ(slurp(target), "mine");
}

}  // namespace
}  // namespace flakestat::store
