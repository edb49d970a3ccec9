#include "sys/copy_back.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

namespace fs = std::filesystem;

class RealPathIn : public ::testing::Test {
 protected:
  [[nodiscard]] std::string of(const std::string& path) const {
    const auto real = real_path_in(root_.path(), path);
    return real ? *real : "error: " + real.error().message;
  }
  void link(const std::string& target, const std::string& name) const { fs::create_symlink(target, root_.file(name)); }

  testing::TempDir root_;
};

TEST_F(RealPathIn, WithoutLinksThePathItself) {
  EXPECT_NE(root_.write("a/b", ""), "");
  EXPECT_EQ(of("/a/b"), "/a/b");
  EXPECT_EQ(of("/a//./b/"), "/a/b");
  EXPECT_EQ(of("/"), "/");
}

TEST_F(RealPathIn, AnAbsoluteLinkStartsAtTheirRootNotAtOurs) {
  EXPECT_NE(root_.write("real/file", ""), "");
  link("/real", "link");
  EXPECT_EQ(of("/link/file"), "/real/file");
  link("/etc", "out");
  EXPECT_EQ(of("/out/passwd"), "/etc/passwd");
}

TEST_F(RealPathIn, ARelativeLinkStartsAtItsFolder) {
  EXPECT_NE(root_.write("a/real/file", ""), "");
  link("real/file", "a/link");
  link("../a/link", "a/second");
  EXPECT_EQ(of("/a/second"), "/a/real/file");
}

TEST_F(RealPathIn, NothingLeadsAboveTheRoot) {
  link("../../../..", "up");
  EXPECT_EQ(of("/up/x"), "/x");
  EXPECT_EQ(of("/../../x"), "/x");
}

TEST_F(RealPathIn, DotsAfterALinkStartWhereItLeads) {
  EXPECT_NE(root_.write("a/b/file", ""), "");
  link("/a/b", "link");
  EXPECT_EQ(of("/link/../x"), "/a/x");
}

TEST_F(RealPathIn, NamesThatDoNotExistStay) { EXPECT_EQ(of("/no/such/*.xml"), "/no/such/*.xml"); }

TEST_F(RealPathIn, ALoopOfLinksIsAnError) {
  link("two", "one");
  link("one", "two");
  EXPECT_EQ(of("/one"), "error: follow /one: Too many levels of symbolic links");
}

class CopyEntry : public ::testing::Test {
 protected:
  [[nodiscard]] Result<void> copy(const std::string& name) const {
    return copy_entry(from_.file(name), to_.file(name));
  }

  testing::TempDir from_;
  testing::TempDir to_;
};

TEST_F(CopyEntry, AFileComesWithItsModeAndTime) {
  const auto source = from_.write("file", "content");
  fs::permissions(source, fs::perms(0750));
  fs::last_write_time(source, fs::file_time_type::clock::now() - std::chrono::hours(50));
  ASSERT_TRUE(copy("file"));
  EXPECT_EQ(testing::slurp(to_.file("file")), "content");
  EXPECT_EQ(fs::status(to_.file("file")).permissions(), fs::perms(0750));
  EXPECT_EQ(fs::last_write_time(to_.file("file")), fs::last_write_time(source));
}

TEST_F(CopyEntry, AFolderIsCopiedOverOneThatIsThere) {
  EXPECT_NE(from_.write("d/deep/new", "new"), "");
  EXPECT_NE(from_.write("d/both", "theirs"), "");
  EXPECT_NE(to_.write("d/both", "ours"), "");
  EXPECT_NE(to_.write("d/old", "old"), "");
  ASSERT_TRUE(copy("d"));
  EXPECT_EQ(testing::slurp(to_.file("d/deep/new")), "new");
  EXPECT_EQ(testing::slurp(to_.file("d/both")), "theirs");
  EXPECT_EQ(testing::slurp(to_.file("d/old")), "old");
}

TEST_F(CopyEntry, ALinkIsCopiedAsALink) {
  fs::create_symlink("/etc/passwd", from_.file("link"));
  ASSERT_TRUE(copy("link"));
  EXPECT_EQ(fs::read_symlink(to_.file("link")), "/etc/passwd");
  ASSERT_TRUE(copy("link")) << "again";
}

TEST_F(CopyEntry, ALinkThatIsInTheWayIsReplacedAndWhatItLeadsToIsNotTouched) {
  const testing::TempDir elsewhere;
  const auto outside = elsewhere.write("file", "untouched");
  EXPECT_NE(from_.write("file", "content"), "");
  fs::create_symlink(outside, to_.file("file"));
  ASSERT_TRUE(copy("file"));
  EXPECT_FALSE(fs::is_symlink(to_.file("file")));
  EXPECT_EQ(testing::slurp(outside), "untouched");
}

TEST_F(CopyEntry, ALinkToAFolderThatIsInTheWayIsNotEntered) {
  const testing::TempDir elsewhere;
  EXPECT_NE(from_.write("d/file", "content"), "");
  fs::create_directory_symlink(elsewhere.path(), to_.file("d"));
  const auto copied = copy("d");
  ASSERT_FALSE(copied);
  EXPECT_TRUE(fs::is_empty(elsewhere.path()));
}

TEST_F(CopyEntry, WhatIsNoFileFolderOrLinkIsRefusedByName) {
  fs::create_directory(from_.file("d"));
  ASSERT_EQ(::mkfifo(from_.file("d/pipe").c_str(), 0600), 0);
  const auto copied = copy("d");
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().message, "copy " + to_.file("d/pipe") + ": neither a file, a folder nor a link");
}

TEST_F(CopyEntry, WhatIsNotThereIsMissing) { EXPECT_EQ(copy("nothing").error().kind, ErrorKind::missing); }

}  // namespace
}  // namespace flakestat::sys
