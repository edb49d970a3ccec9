#include "sys/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

namespace fs = std::filesystem;

TEST(RemoveTree, TakesFoldersWithoutPermissions) {
  const testing::TempDir folder;
  EXPECT_NE(folder.write("a/closed/deep/file", ""), "");
  ASSERT_EQ(::chmod(folder.file("a/closed/deep").c_str(), 0), 0);
  ASSERT_EQ(::chmod(folder.file("a/closed").c_str(), 0500), 0);
  const auto removed = remove_tree(folder.file("a"));
  EXPECT_TRUE(removed) << removed.error().message;
  EXPECT_FALSE(fs::exists(folder.file("a")));
}

TEST(RemoveTree, ALinkIsRemovedAndNotFollowed) {
  const testing::TempDir folder;
  const testing::TempDir elsewhere;
  const auto kept = elsewhere.write("kept", "");
  fs::create_directory(folder.file("a"));
  fs::create_directory_symlink(elsewhere.path(), folder.file("a/link"));
  EXPECT_TRUE(remove_tree(folder.file("a")));
  EXPECT_FALSE(fs::exists(folder.file("a")));
  EXPECT_TRUE(fs::exists(kept));
}

TEST(RemoveTree, WhatIsNotThereIsRemoved) { EXPECT_TRUE(remove_tree("/no/such/folder")); }

TEST(Scratch, IsMadeWithItsParentsAndRemovedWithAllInIt) {
  const testing::TempDir folder;
  const auto base = folder.file("not/yet");
  {
    const auto scratch = Scratch::open(base);
    ASSERT_TRUE(scratch) << scratch.error().message;
    EXPECT_TRUE(fs::path(scratch->path()).parent_path() == base);
    fs::create_directories(scratch->path() + "/copy/deep");
  }
  EXPECT_TRUE(fs::is_empty(base));
}

TEST(Scratch, IsNobodyElsesToRead) {
  const testing::TempDir folder;
  const auto scratch = Scratch::open(folder.path());
  ASSERT_TRUE(scratch);
  EXPECT_EQ(fs::status(scratch->path()).permissions(), fs::perms::owner_all);
}

TEST(Scratch, OneInUseIsNotSwept) {
  const testing::TempDir folder;
  const auto first = Scratch::open(folder.path());
  const auto second = Scratch::open(folder.path());
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_TRUE(fs::exists(first->path()));
  EXPECT_NE(first->path(), second->path());
}

TEST(Scratch, OneOfADeadProcessIsSweptByTheNext) {
  const testing::TempDir folder;
  const pid_t killed = ::fork();
  if (killed == 0) {
    const auto scratch = Scratch::open(folder.path());
    if (!scratch) ::_exit(1);
    std::error_code ignored;
    fs::create_directories(scratch->path() + "/1/work0/work", ignored);
    ::chmod((scratch->path() + "/1/work0/work").c_str(), 0);
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(killed, &status, 0), killed);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_FALSE(fs::is_empty(folder.path()));
  { ASSERT_TRUE(Scratch::open(folder.path())); }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Scratch, AFolderThatMayJustBeInTheMakingIsLeftAlone) {
  const testing::TempDir folder;
  fs::create_directory(folder.file("flakestat-copies-abcdef"));
  ASSERT_TRUE(Scratch::open(folder.path()));
  EXPECT_TRUE(fs::exists(folder.file("flakestat-copies-abcdef")));
}

TEST(Scratch, OtherFilesInTheFolderStay) {
  const testing::TempDir folder;
  const auto other = folder.write("flakestat", "");
  fs::create_symlink("/", folder.file("flakestat-copies-link"));
  ASSERT_TRUE(Scratch::open(folder.path()));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::is_symlink(folder.file("flakestat-copies-link")));
}

TEST(Scratch, AFolderThatCannotBeMadeIsAnErrorThatNamesIt) {
  const testing::TempDir folder;
  EXPECT_NE(folder.write("file", ""), "");
  const auto scratch = Scratch::open(folder.file("file/below"));
  ASSERT_FALSE(scratch);
  EXPECT_NE(scratch.error().message.find(folder.file("file/below")), std::string::npos);
}

}  // namespace
}  // namespace flakestat::sys
