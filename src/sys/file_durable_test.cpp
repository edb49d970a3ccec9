// Directories and positions: what the log needs of sys/file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "sys/file.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

using ::testing::HasSubstr;

TEST(DurableFiles, MissingParentsAreMade) {
  const testing::TempDir temp;
  ASSERT_TRUE(make_directories_durably(temp.file("a/b/c")));
  EXPECT_TRUE(std::filesystem::is_directory(temp.file("a/b/c")));
  EXPECT_TRUE(make_directories_durably(temp.file("a/b/c"))) << "there already";
}

TEST(DurableFiles, AFileInTheWayIsNamed) {
  const testing::TempDir temp;
  (void)temp.write("file", "");
  const auto made = make_directories_durably(temp.file("file"));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr(temp.file("file")));
  EXPECT_EQ(made.error().os_error, EEXIST);
  EXPECT_FALSE(make_directories_durably(temp.file("file/below")));
}

TEST(DurableFiles, ReadAtReadsFromAPositionAndEndsWithZero) {
  const testing::TempDir temp;
  const auto path = temp.write("f", "0123456789");
  const auto fd = open_read(path);
  ASSERT_TRUE(fd);
  std::array<char, 4> buffer{};
  EXPECT_EQ(*read_at(fd->get(), buffer.data(), buffer.size(), 8, path), 2u);
  EXPECT_EQ(std::string(buffer.data(), 2), "89");
  EXPECT_EQ(*read_at(fd->get(), buffer.data(), buffer.size(), 10, path), 0u);
  EXPECT_FALSE(read_at(-1, buffer.data(), buffer.size(), 0, path));
}

}  // namespace
}  // namespace flakestat::sys
