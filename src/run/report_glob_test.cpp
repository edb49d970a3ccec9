#include "run/report_glob.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReportGlobTest : public ::testing::Test {
 protected:
  ReportGlobTest() {
    for (const auto* name : {"a/x-1.xml", "a/x-2.xml", "a/.x-3.xml", "a/b/x-4.xml", "c/x-5.txt", "c/[1]/x-6.xml"}) {
      folder_.write(name, "");
    }
  }
  std::vector<std::string> matches(const std::string& pattern) {
    std::vector<std::string> names;
    for (const auto& path : expand_glob(folder_.file(pattern))) {
      names.push_back(std::filesystem::relative(path, folder_.path()));
    }
    return names;
  }
  testing::TempDir folder_;
};

TEST_F(ReportGlobTest, StarStaysInsideOneName) {
  EXPECT_THAT(matches("a/*.xml"), ElementsAre("a/x-1.xml", "a/x-2.xml"));
}

TEST_F(ReportGlobTest, QuestionMarkIsOneCharacter) { EXPECT_THAT(matches("?/x-?.txt"), ElementsAre("c/x-5.txt")); }

TEST_F(ReportGlobTest, DoubleStarIsAnyNumberOfFoldersNoneIncluded) {
  EXPECT_THAT(matches("a/**/x-*.xml"), ElementsAre("a/b/x-4.xml", "a/x-1.xml", "a/x-2.xml"));
  EXPECT_THAT(matches("**/**/x-4.xml"), ElementsAre("a/b/x-4.xml"));
}

TEST_F(ReportGlobTest, AnEndingDoubleStarIsAStar) { EXPECT_THAT(matches("a/b/**"), ElementsAre("a/b/x-4.xml")); }

TEST_F(ReportGlobTest, BracketsWithoutAWildcardAreAName) {
  EXPECT_THAT(matches("c/[1]/*"), ElementsAre("c/[1]/x-6.xml"));
}

TEST_F(ReportGlobTest, FoldersAreNoMatches) { EXPECT_THAT(matches("a/*"), ElementsAre("a/x-1.xml", "a/x-2.xml")); }

TEST_F(ReportGlobTest, NothingThereIsNoMatch) { EXPECT_THAT(matches("no/such/*.xml"), IsEmpty()); }

TEST_F(ReportGlobTest, LinksThatFormALoopEnd) {
  std::filesystem::create_directory_symlink("..", folder_.path() / "a/up");
  EXPECT_THAT(matches("**/x-4.xml"), ElementsAre("a/b/x-4.xml"));
}

TEST_F(ReportGlobTest, WithARootLinksAreFollowedAsThoseInsideWould) {
  folder_.write("root/in/real/x.xml", "");
  folder_.write("in/real/y.xml", "");
  std::filesystem::create_directory_symlink("/in/real", folder_.path() / "root/in/folder");
  std::filesystem::create_symlink("/in/real/x.xml", folder_.path() / "root/in/file.xml");
  std::filesystem::create_symlink(folder_.file("a/x-1.xml"), folder_.path() / "root/in/outside.xml");
  const auto root = folder_.file("root");
  EXPECT_THAT(expand_glob("/in/*/*.xml", root), ElementsAre("/in/folder/x.xml", "/in/real/x.xml"));
  EXPECT_THAT(expand_glob("/in/*.xml", root), ElementsAre("/in/file.xml"));
}

TEST(GlobBase, IsTheFolderInFrontOfTheFirstWildcard) {
  EXPECT_EQ(glob_base("/a/b/*/c-*.xml"), "/a/b");
  EXPECT_EQ(glob_base("*.xml"), ".");
  EXPECT_TRUE(is_glob("a/?.xml"));
  EXPECT_FALSE(is_glob("a/[1].xml"));
}

}  // namespace
}  // namespace flakestat::run
