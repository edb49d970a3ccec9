#include "env/project_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::env {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TempDir;

std::vector<std::string> folders_of(const ProjectTree& tree) {
  std::vector<std::string> paths;
  for (const auto& folder : tree.folders()) paths.push_back(folder.path);
  return paths;
}

TEST(ProjectTree, SkipsWhatToolsMadeAndWhatOthersWrote) {
  const TempDir dir;
  for (const auto* name : {"a/b/f.txt", "node_modules/x/package.json", ".git/config", "target/x", "build/x", "venv/x",
                           "vendor/x", "cmake-build-debug/x", ".config/nextest.toml"}) {
    dir.write(name, "");
  }
  const auto tree = ProjectTree::read(dir.path().string());
  EXPECT_THAT(folders_of(tree), ElementsAre("", ".config", "a", "a/b"));
  EXPECT_TRUE(tree.has("a/b/f.txt"));
  EXPECT_FALSE(tree.has("node_modules/x/package.json"));
  EXPECT_TRUE(tree.exists("node_modules/x/package.json"));
  EXPECT_THAT(tree.notes(), IsEmpty());
}

TEST(ProjectTree, DoesNotFollowLinks) {
  const TempDir dir;
  const TempDir other;
  other.write("package.json", "{}");
  dir.write("real.txt", "");
  fs::create_directory_symlink(other.path(), dir.path() / "linked");
  fs::create_directory_symlink(dir.path(), dir.path() / "cycle");
  fs::create_symlink(dir.path() / "real.txt", dir.path() / "link.txt");
  const auto tree = ProjectTree::read(dir.path().string());
  EXPECT_THAT(folders_of(tree), ElementsAre(""));
  EXPECT_THAT(tree.folders().front().files, ElementsAre("real.txt"));
}

// Root may read everything, so it becomes nobody meanwhile.
ProjectTree read_as_nobody(const TempDir& dir) {
  constexpr uid_t kNobody = 65534;
  fs::permissions(dir.path(), fs::perms::all);
  const bool root = ::geteuid() == 0;
  if (root) {
    EXPECT_EQ(::seteuid(kNobody), 0);
  }
  auto tree = ProjectTree::read(dir.path().string());
  if (root) {
    EXPECT_EQ(::seteuid(0), 0);
  }
  return tree;
}

TEST(ProjectTree, FoldersThatCannotBeReadAreNoted) {
  const TempDir dir;
  dir.write("closed/x", "");
  dir.write("open/y", "");
  fs::permissions(dir.path() / "closed", fs::perms::none);
  const auto tree = read_as_nobody(dir);
  fs::permissions(dir.path() / "closed", fs::perms::owner_all);
  if (tree.folders().size() == 1 && !tree.notes().empty() && tree.notes()[0].find("\".\"") != std::string::npos)
    GTEST_SKIP() << "SKIPPED, NOT PASSED: the folder of temporary files is closed to others";
  EXPECT_THAT(tree.notes(), ElementsAre(HasSubstr("cannot look into \"closed\"")));
  EXPECT_TRUE(tree.has("open/y"));
}

TEST(ProjectTree, AFolderThatIsNotThereIsNoted) {
  const TempDir dir;
  EXPECT_THAT(ProjectTree::read(dir.file("none")).notes(), ElementsAre(HasSubstr("cannot look into \".\"")));
}

TEST(ProjectTree, IsBoundedInDepthFoldersAndNames) {
  const TempDir dir;
  dir.write("1/2/3/4/f", "");
  dir.write("b/f", "");
  const auto noted = HasSubstr("not every folder was looked into");
  const auto shallow = ProjectTree::read(dir.path().string(), {2, 100, 100});
  EXPECT_THAT(folders_of(shallow), ElementsAre("", "1", "1/2", "b"));
  EXPECT_THAT(shallow.notes(), ElementsAre(noted));
  EXPECT_THAT(ProjectTree::read(dir.path().string(), {9, 2, 100}).folders(), SizeIs(2));
  EXPECT_THAT(ProjectTree::read(dir.path().string(), {9, 100, 1}).notes(), ElementsAre(noted));
}

TEST(ProjectTree, TextIsOnlyOfFilesThatWereSeenAndNotHuge) {
  const TempDir dir;
  dir.write("a.txt", "text");
  dir.write("huge.txt", std::string((std::size_t{1} << 20) + 1, 'x'));
  dir.write("build/b.txt", "text");
  const auto tree = ProjectTree::read(dir.path().string());
  EXPECT_EQ(tree.text("a.txt"), "text");
  EXPECT_EQ(tree.text("huge.txt"), "");
  EXPECT_EQ(tree.text("build/b.txt"), "");
  EXPECT_EQ(tree.text("../a.txt"), "");
}

TEST(ProjectTree, PathsBelowAFolderAreNotThoseThatOnlyBeginLikeIt) {
  EXPECT_TRUE(lies_in("a/b", "a"));
  EXPECT_TRUE(lies_in("a", "a"));
  EXPECT_TRUE(lies_in("a", ""));
  EXPECT_FALSE(lies_in("ab", "a"));
  EXPECT_FALSE(lies_in("a", "a/b"));
}

}  // namespace
}  // namespace flakestat::env
