#include "sys/glob.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Glob : public ::testing::Test {
 protected:
  void files(std::initializer_list<const char*> names) {
    for (const auto* name : names) dir_.write(name, "x");
  }

  // Paths of the pattern relative to the folder.
  std::vector<std::string> expand(const std::string& pattern) {
    const auto result = expand_glob(pattern, dir_.path().string());
    if (!result) {
      EXPECT_EQ(result.error().kind, ErrorKind::missing);
      return {};
    }
    return result->paths;
  }

  testing::TempDir dir_;
};

TEST_F(Glob, StarStaysInsideAFolder) {
  files({"a.xml", "b.xml", "sub/c.xml", "a.txt"});
  EXPECT_THAT(expand("*.xml"), ElementsAre("a.xml", "b.xml"));
  EXPECT_THAT(expand("*/*.xml"), ElementsAre("sub/c.xml"));
  EXPECT_THAT(expand("?.xml"), ElementsAre("a.xml", "b.xml"));
  EXPECT_THAT(expand("[b-z].xml"), ElementsAre("b.xml"));
}

TEST_F(Glob, DoubleStarIsAnyNumberOfFolders) {
  files({"r.xml", "a/r.xml", "a/b/c/r.xml", "a/b/other.xml", "z/b/q/r.xml"});
  EXPECT_THAT(expand("**/r.xml"), ElementsAre("a/b/c/r.xml", "a/r.xml", "r.xml", "z/b/q/r.xml"));
  EXPECT_THAT(expand("a/**/r.xml"), ElementsAre("a/b/c/r.xml", "a/r.xml"));
  EXPECT_THAT(expand("**/b/**/r.xml"), ElementsAre("a/b/c/r.xml", "z/b/q/r.xml"));
  EXPECT_THAT(expand("a/b/**"), ElementsAre("a/b/c/r.xml", "a/b/other.xml"));
  EXPECT_THAT(expand("**/**/**/other.xml"), ElementsAre("a/b/other.xml"));
  EXPECT_THAT(expand("a/b**/*.xml"), ElementsAre("a/b/other.xml"));
}

TEST_F(Glob, BracesAreAlternatives) {
  files({"a/x.xml", "b/x.xml", "b/x.txt", "c/x.xml"});
  EXPECT_THAT(expand("{a,b}/x.xml"), ElementsAre("a/x.xml", "b/x.xml"));
  EXPECT_THAT(expand("b/x.{txt,xml,json}"), ElementsAre("b/x.txt", "b/x.xml"));
  EXPECT_THAT(expand("{a/*,a/x.xml}"), ElementsAre("a/x.xml")) << "each file once";
}

TEST_F(Glob, LiteralPathWinsOverItsReadingAsAPattern) {
  files({"r[1].xml", "r1.xml", "a*b", "acb"});
  const auto literal = expand_glob("r[1].xml", dir_.path().string());
  EXPECT_THAT(literal->paths, ElementsAre("r[1].xml"));
  EXPECT_FALSE(literal->was_pattern);
  EXPECT_THAT(expand("a*b"), ElementsAre("a*b"));
  EXPECT_TRUE(expand_glob("r[12].xml", dir_.path().string())->was_pattern);
}

TEST_F(Glob, NamedFileThatIsMissingIsAnError) {
  const auto result = expand_glob("none.xml", dir_.path().string());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
  EXPECT_THAT(result.error().message, HasSubstr("\"none.xml\""));
  EXPECT_FALSE(expand_glob("").ok());
}

TEST_F(Glob, PatternThatMatchesNothingIsAnError) {
  const auto result = expand_glob("**/*.xml", dir_.path().string());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
  EXPECT_THAT(result.error().message, HasSubstr("no file matches"));
}

TEST_F(Glob, HiddenNamesNeedADot) {
  files({".hidden.xml", ".git/x.xml", "a/.h/x.xml", "a/x.xml"});
  EXPECT_THAT(expand("*.xml"), ElementsAre());
  EXPECT_THAT(expand("**/x.xml"), ElementsAre("a/x.xml"));
  EXPECT_THAT(expand(".*.xml"), ElementsAre(".hidden.xml"));
  EXPECT_THAT(expand(".git/*.xml"), ElementsAre(".git/x.xml"));
  EXPECT_THAT(expand("**/.h/*"), ElementsAre("a/.h/x.xml"));
}

TEST_F(Glob, FoldersAndPipesAreNotMatched) {
  files({"a.xml"});
  fs::create_directories(dir_.path() / "folder.xml");
  ASSERT_EQ(::mkfifo(dir_.file("pipe.xml").c_str(), 0600), 0);
  EXPECT_THAT(expand("*.xml"), ElementsAre("a.xml"));
}

TEST_F(Glob, LinksToFilesMatchAndBrokenOnesDoNot) {
  files({"real/a.xml"});
  fs::create_symlink("real/a.xml", dir_.path() / "link.xml");
  fs::create_symlink("nowhere", dir_.path() / "broken.xml");
  EXPECT_THAT(expand("*.xml"), ElementsAre("link.xml"));
}

TEST_F(Glob, DoubleStarDoesNotFollowLinksToFoldersButANameDoes) {
  files({"real/deep/a.xml"});
  fs::create_directory_symlink("real", dir_.path() / "link");
  EXPECT_THAT(expand("**/a.xml"), ElementsAre("real/deep/a.xml"));
  EXPECT_THAT(expand("link/**/a.xml"), ElementsAre("link/deep/a.xml"));
  EXPECT_THAT(expand("*/deep/*.xml"), ElementsAre("link/deep/a.xml", "real/deep/a.xml"));
}

TEST_F(Glob, LinkCyclesEnd) {
  files({"a/x.xml"});
  fs::create_directory_symlink("..", dir_.path() / "a/up");
  fs::create_directory_symlink(".", dir_.path() / "a/self");
  EXPECT_THAT(expand("**/x.xml"), ElementsAre("a/x.xml"));
  EXPECT_THAT(expand("**/self/**/x.xml"), ElementsAre("a/self/x.xml"));
}

TEST_F(Glob, AbsolutePatternsGiveAbsolutePaths) {
  files({"a/x.xml"});
  const auto root = dir_.path().string();
  EXPECT_THAT(expand_glob(root + "/**/*.xml")->paths, ElementsAre(root + "/a/x.xml"));
}

TEST_F(Glob, DotSegmentsAreKept) {
  files({"a/x.xml"});
  EXPECT_THAT(expand("./a/*.xml"), ElementsAre("./a/x.xml"));
  EXPECT_THAT(expand("a/../a/*.xml"), ElementsAre("a/../a/x.xml"));
}

TEST_F(Glob, ResultsAreSorted) {
  files({"b.xml", "B.xml", "a/1.xml", "10.xml", "2.xml"});
  EXPECT_THAT(expand("**/*.xml"), ElementsAre("10.xml", "2.xml", "B.xml", "a/1.xml", "b.xml"));
}

TEST_F(Glob, NamesWithForeignBytesAndLineEnds) {
  files({"a\nb.xml", "\xff.xml"});
  EXPECT_THAT(expand("*.xml"), ElementsAre("a\nb.xml", "\xff.xml"));
}

TEST_F(Glob, DeepTreeNeedsNoRecursion) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "d/";
  fs::create_directories(dir_.path() / deep);
  dir_.write(deep + "x.xml", "x");
  EXPECT_THAT(expand("**/x.xml"), ElementsAre(deep + "x.xml"));
  EXPECT_THAT(expand("**/d/**/d/**/d/**/d/**/x.xml"), ElementsAre(deep + "x.xml"));
}

TEST_F(Glob, UnreadableFolderIsNoted) {
  if (::geteuid() == 0) GTEST_SKIP() << "skipped: root reads every folder";
  files({"a/x.xml", "b/x.xml"});
  fs::permissions(dir_.path() / "b", fs::perms::none);
  const auto result = expand_glob("**/x.xml", dir_.path().string());
  fs::permissions(dir_.path() / "b", fs::perms::owner_all);
  EXPECT_THAT(result->paths, ElementsAre("a/x.xml"));
  EXPECT_THAT(result->notes, ElementsAre(HasSubstr("read folder")));
}

TEST_F(Glob, AbsurdPatternsAreUsageErrors) {
  EXPECT_EQ(expand_glob("*" + std::string(5000, 'a')).error().kind, ErrorKind::usage);
  std::string bomb = "*";
  for (int i = 0; i < 40; ++i) bomb += "{a,b}";
  EXPECT_EQ(expand_glob(bomb).error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace flakestat::sys
