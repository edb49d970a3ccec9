#include "env/git.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "testing/git_repository.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::env {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using testing::GitRepository;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Git, CommitBranchAndRoot) {
  const GitRepository repository;
  const auto commit = repository.commit_file("a.txt", "1");
  std::filesystem::create_directories(repository.path() / "sub/dir");
  const auto state = read_git((repository.path() / "sub/dir").string());
  EXPECT_TRUE(state.repository);
  EXPECT_EQ(std::filesystem::canonical(state.root), std::filesystem::canonical(repository.path()));
  EXPECT_EQ(state.commit, commit);
  EXPECT_EQ(state.branch, "main");
  EXPECT_EQ(state.default_branch, "main");
  EXPECT_FALSE(state.shallow);
  EXPECT_TRUE(state.changes_known);
  EXPECT_THAT(state.changes, IsEmpty());
  EXPECT_THAT(state.notes, IsEmpty());
}

TEST(Git, NoRepositoryIsEmptyAndQuiet) {
  const testing::TempDir dir;
  const auto state = read_git(dir.path().string());
  EXPECT_FALSE(state.repository);
  EXPECT_EQ(state.commit, "");
  EXPECT_THAT(state.notes, IsEmpty());
}

TEST(Git, NoCommitsYet) {
  const GitRepository repository;
  repository.write("a.txt", "1");
  const auto state = read_git(repository.path().string());
  EXPECT_TRUE(state.repository);
  EXPECT_EQ(state.commit, "");
  EXPECT_EQ(state.branch, "main");
  EXPECT_EQ(state.changes.size(), 1u);
}

TEST(Git, DetachedHeadHasNoBranch) {
  const GitRepository repository;
  const auto commit = repository.commit_file("a.txt", "1");
  repository.git({"checkout", "-q", "--detach"});
  const auto state = read_git(repository.path().string());
  EXPECT_EQ(state.commit, commit);
  EXPECT_EQ(state.branch, "");
  EXPECT_EQ(state.default_branch, "main");
}

TEST(Git, WorktreeHasABranchAndRootOfItsOwn) {
  const GitRepository repository;
  repository.commit_file("a.txt", "1");
  const testing::TempDir other;
  repository.git({"worktree", "add", "-q", "-b", "topic", other.file("tree")});
  const auto state = read_git(other.file("tree"));
  EXPECT_EQ(state.branch, "topic");
  EXPECT_EQ(std::filesystem::canonical(state.root), std::filesystem::canonical(other.file("tree")));
}

TEST(Git, ShallowCloneIsSeen) {
  const GitRepository repository;
  repository.commit_file("a.txt", "1");
  const auto commit = repository.commit_file("a.txt", "2");
  const testing::TempDir other;
  repository.git({"clone", "-q", "--depth=1", "file://" + repository.path().string(), other.file("clone")});
  const auto state = read_git(other.file("clone"));
  EXPECT_TRUE(state.shallow);
  EXPECT_EQ(state.commit, commit);
}

TEST(Git, DefaultBranchIsOriginsHead) {
  const GitRepository repository;
  repository.commit_file("a.txt", "1");
  repository.git({"branch", "-m", "develop"});
  const testing::TempDir other;
  repository.git({"clone", "-q", repository.path().string(), other.file("clone")});
  repository.git({"-C", other.file("clone"), "checkout", "-q", "-b", "main"});
  EXPECT_EQ(read_git(other.file("clone")).default_branch, "develop");
}

TEST(Git, DefaultBranchIsMasterWhereOnlyThatExistsElseUnknown) {
  const GitRepository repository;
  repository.commit_file("a.txt", "1");
  repository.git({"branch", "-m", "master"});
  EXPECT_EQ(read_git(repository.path().string()).default_branch, "master");
  repository.git({"branch", "-m", "trunk"});
  EXPECT_EQ(read_git(repository.path().string()).default_branch, "");
}

TEST(Git, RootMayHoldLineEndsAndForeignBytes) {
  const testing::TempDir dir;
  const auto odd = dir.path() / "a\nb\xff";
  std::filesystem::create_directories(odd);
  const GitRepository repository(odd);
  const auto commit = repository.commit_file("c\nd\xfe.txt", "1");
  const auto state = read_git(odd.string());
  EXPECT_EQ(state.commit, commit);
  EXPECT_EQ(std::filesystem::path(state.root).filename().string(), "a\nb\xff");
}

TEST(Git, RepositoryThatGitRefusesIsExplained) {
  const testing::TempDir dir;
  dir.write(".git", "gitdir: nowhere");
  const auto state = read_git(dir.path().string());
  EXPECT_FALSE(state.repository);
  EXPECT_THAT(state.notes, ElementsAre(HasSubstr("git refuses the repository in")));
}

// Runs as root in CI images: giving the folder away is what a container does to a checkout.
TEST(Git, RepositoryOfAnotherUserNamesTheMend) {
  if (::geteuid() != 0) GTEST_SKIP() << "skipped: only root can give a folder away";
  const GitRepository repository;
  repository.commit_file("a.txt", "1");
  for (const auto& path : {repository.path(), repository.path() / ".git"})
    ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
  const auto state = read_git(repository.path().string());
  if (state.repository) GTEST_SKIP() << "skipped: safe.directory is open here";
  EXPECT_THAT(state.notes, ElementsAre(HasSubstr("safe.directory")));
}

TEST(GitStatus, ReadsEveryKindOfRecord) {
  using std::string_literals::operator""s;
  GitState state;
  parse_git_status(
      "# branch.oid abc\0# branch.head topic\0# branch.upstream origin/topic\0"
      "1 .M N... 100644 100644 100644 aaa bbb a b.txt\0"
      "1 MM N... 100644 100644 100644 aaa bbb both\0"
      "1 AD N... 000000 100644 000000 000 bbb gone\0"
      "1 .M S.M. 160000 160000 160000 aaa bbb lib\0"
      "u UU N... 100644 100644 100644 100644 a b c conflict x\0"
      "? new\nfile\0? nested/\0! ignored\0"s,
      state);
  EXPECT_EQ(state.commit, "abc");
  EXPECT_EQ(state.branch, "topic");
  using Kind = ChangedPath::Kind;
  const auto is = [](const std::string& path, Kind kind, bool in_commit, const std::string& blob) {
    return AllOf(Field(&ChangedPath::path, path), Field(&ChangedPath::kind, kind),
                 Field(&ChangedPath::in_commit, in_commit), Field(&ChangedPath::blob, blob));
  };
  EXPECT_THAT(state.changes,
              ElementsAre(is("a b.txt", Kind::content, true, ""), is("both", Kind::content, true, "aaa"),
                          is("gone", Kind::content, false, ""), is("lib", Kind::submodule, true, ""),
                          is("conflict x", Kind::content, true, ""), is("new\nfile", Kind::content, false, ""),
                          is("nested", Kind::nested, false, "")));
}

TEST(GitStatus, GarbageIsHarmless) {
  GitState state;
  parse_git_status(std::string_view("1 \0u \0? \0#\0# \0x y\0 \0", 20), state);
  EXPECT_EQ(state.commit, "");
}

TEST(GitNames, AreThoseOfTheWholeState) {
  testing::GitRepository repository;
  const auto path = repository.path().string();
  const auto expect_same = [&] {
    const auto whole = read_git(path);
    const auto names = read_git_names(path);
    EXPECT_EQ(names.root, whole.root);
    EXPECT_EQ(names.branch, whole.branch);
    EXPECT_EQ(names.default_branch, whole.default_branch);
  };
  expect_same();  // no commit yet
  const auto commit = repository.commit_file("a", "1");
  expect_same();
  repository.git({"checkout", "-q", "-b", "feature/x"});
  repository.git({"tag", "feature/x"});  // a short name of two things
  expect_same();
  EXPECT_EQ(read_git_names(path).branch, "feature/x");
  repository.git({"checkout", "-q", "--detach", commit});
  expect_same();
  EXPECT_EQ(read_git_names(path).branch, "");
}

}  // namespace
}  // namespace flakestat::env
