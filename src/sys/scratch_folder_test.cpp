#include "sys/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ScratchFolders : public ::testing::Test {
 protected:
  [[nodiscard]] std::string parent() const { return dir_.path() / "scratch"; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(parent())) out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }
  // Makes one that nobody uses, `age` minutes old.
  void old(const std::string& name, int age) const {
    ASSERT_TRUE(ScratchFolder::make(parent(), name, 100));
    std::ofstream(parent() + "/" + name + "/file") << "x";
    fs::last_write_time(parent() + "/" + name, fs::file_time_type::clock::now() - std::chrono::minutes(age));
  }

  testing::TempDir dir_;
};

TEST_F(ScratchFolders, TheNewestUnusedOnesStay) {
  old("z", 3);
  old("a", 1);
  old("m", 2);
  const auto made = ScratchFolder::make(parent(), "new", 2);
  ASSERT_TRUE(made);
  EXPECT_THAT(names(), ElementsAre("a", "m", "new"));
}

TEST_F(ScratchFolders, OneThatIsInUseStaysHoweverOld) {
  std::vector<ScratchFolder> used;
  for (const auto* name : {"one", "two", "three", "four"}) {
    auto made = ScratchFolder::make(parent(), name, 0);
    ASSERT_TRUE(made);
    used.push_back(*std::move(made));
  }
  EXPECT_THAT(names(), ElementsAre("four", "one", "three", "two"));
  used.clear();
  const auto last = ScratchFolder::make(parent(), "last", 0);
  ASSERT_TRUE(last);
  EXPECT_THAT(names(), ElementsAre("last"));
}

TEST_F(ScratchFolders, RunsOfOneNameHaveFoldersOfTheirOwn) {
  const auto first = ScratchFolder::make(parent(), "same", 0);
  const auto second = ScratchFolder::make(parent(), "same", 0);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->path(), second->path());
}

TEST_F(ScratchFolders, ManyAtOnceTakeNothingFromEachOther) {
  std::vector<std::thread> runs;
  std::vector<int> lost(8);
  for (std::size_t run = 0; run < lost.size(); ++run) {
    runs.emplace_back([&, run] {
      for (int i = 0; i < 50; ++i) {
        const auto made = ScratchFolder::make(parent(), "run", 0);
        std::ofstream(made ? made->path() + "/file" : "/no/such/folder") << "x";
        std::this_thread::yield();
        if (!made || !fs::exists(made->path() + "/file")) ++lost[run];
      }
    });
  }
  for (auto& run : runs) run.join();
  EXPECT_EQ(std::count(lost.begin(), lost.end(), 0), 8);
}

TEST_F(ScratchFolders, ANameIsNoPath) {
  const auto made = ScratchFolder::make(parent(), "../../evil\n", 0);
  ASSERT_TRUE(made);
  EXPECT_THAT(names(), ElementsAre("_.._.._evil_"));
}

TEST_F(ScratchFolders, ALinkInTheParentsPlaceIsRefused) {
  fs::create_directory(dir_.path() / "elsewhere");
  std::ofstream(dir_.path() / "elsewhere" / "file") << "x";
  fs::create_directory_symlink(dir_.path() / "elsewhere", parent());
  EXPECT_FALSE(ScratchFolder::make(parent(), "run", 0));
  EXPECT_TRUE(fs::exists(dir_.path() / "elsewhere" / "file"));
}

TEST_F(ScratchFolders, WhatALinkInItLeadsToStays) {
  ASSERT_TRUE(ScratchFolder::make(parent(), "run", 0));
  fs::create_directory(dir_.path() / "elsewhere");
  std::ofstream(dir_.path() / "elsewhere" / "file") << "x";
  fs::create_directory_symlink(dir_.path() / "elsewhere", parent() + "/link");
  ASSERT_TRUE(ScratchFolder::make(parent(), "run", 0));
  EXPECT_TRUE(fs::exists(dir_.path() / "elsewhere" / "file"));
}

TEST_F(ScratchFolders, OthersSeeNothing) {
  fs::create_directory(parent());
  fs::permissions(parent(), fs::perms::all);
  const auto made = ScratchFolder::make(parent(), "run", 0);
  ASSERT_TRUE(made);
  for (const auto& path : {parent(), made->path()}) {
    struct stat is {};
    ASSERT_EQ(::stat(path.c_str(), &is), 0);
    EXPECT_EQ(is.st_mode & 0777U, 0700U) << path;
  }
}

}  // namespace
}  // namespace flakestat::sys
