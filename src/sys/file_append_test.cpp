#include <gtest/gtest.h>

#include "sys/file.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

using testing::slurp;
using testing::TempDir;

TEST(AppendFile, KeepsWhatIsThereAndCreatesWhatIsNot) {
  const TempDir dir;
  const auto path = dir.write("summary.md", "before\n");
  ASSERT_TRUE(append_file(path, "after\n"));
  EXPECT_EQ(slurp(path), "before\nafter\n");
  ASSERT_TRUE(append_file(dir.file("new.md"), "x"));
  EXPECT_EQ(slurp(dir.file("new.md")), "x");
}

TEST(AppendFile, NamesThePathThatItCannotWrite) {
  const TempDir dir;
  const auto done = append_file(dir.path().string(), "x");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::io);
  EXPECT_NE(done.error().message.find(dir.path().string()), std::string::npos);
}

}  // namespace
}  // namespace flakestat::sys
