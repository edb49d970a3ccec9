#include "sys/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const char* name) const { return (dir_.path() / name).string(); }
  [[nodiscard]] std::string content(const char* name) const { return read_file(path(name)).value(); }

  testing::TempDir dir_;
};

TEST_F(ReplaceFile, WhatALinkLeadsToIsReplacedNotTheLink) {
  dir_.write("real", "old");
  fs::create_symlink("real", path("link"));
  ASSERT_TRUE(replace_file(path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("real"), "new");
}

TEST_F(ReplaceFile, ALinkThatLeadsNowhereIsReplaced) {
  fs::create_symlink("nowhere", path("link"));
  ASSERT_TRUE(replace_file(path("link"), "new").ok());
  EXPECT_FALSE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("link"), "new");
}

TEST_F(ReplaceFile, PermissionsStay) {
  dir_.write("file", "old");
  ASSERT_EQ(::chmod(path("file").c_str(), 0640), 0);
  ASSERT_TRUE(replace_file(path("file"), "new").ok());
  struct stat info {};
  ASSERT_EQ(::stat(path("file").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
  EXPECT_EQ(content("file"), "new");
}

TEST_F(ReplaceFile, APipeTakesTheBytesAndStays) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Fd read_end(ends[0]);
  const Fd write_end(ends[1]);
  const auto name = "/proc/self/fd/" + std::to_string(write_end.get());
  ASSERT_TRUE(replace_file(name, "bytes").ok());
  char got[8] = {};
  EXPECT_EQ(::read(read_end.get(), got, sizeof got), 5);
  EXPECT_EQ(std::string(got), "bytes");
}

}  // namespace
}  // namespace flakestat::sys
