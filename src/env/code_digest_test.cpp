#include "env/code_digest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "testing/git_repository.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::env {
namespace {

using testing::GitRepository;
namespace fs = std::filesystem;

class CodeDigest : public ::testing::Test {
 protected:
  CodeDigest() {
    tree_.write("a.txt", "one\n");
    tree_.write("run.sh", "#!/bin/sh\n");
    tree_.write(".gitignore", "ignored/\n");
    tree_.git({"add", "."});
    tree_.commit();
  }

  // "" for a tree as committed.
  std::string digest() {
    CodeDigestOptions options{exclude_, untracked_, tree_.path().string()};
    const auto result = code_digest(read_git(tree_.path().string()), options);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? result->value_or("") : "error";
  }

  GitRepository tree_;
  std::vector<std::string> exclude_;
  bool untracked_ = true;
};

TEST_F(CodeDigest, CleanTreeHasNone) { EXPECT_EQ(digest(), ""); }

TEST_F(CodeDigest, IsEightHexDigitsAndStable) {
  tree_.write("a.txt", "two\n");
  const auto first = digest();
  EXPECT_EQ(first.size(), 8u);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(digest(), first);
}

TEST_F(CodeDigest, ContentNameAndModeMatter) {
  tree_.write("a.txt", "two\n");
  const auto two = digest();
  tree_.write("a.txt", "six\n");
  const auto six = digest();
  EXPECT_NE(two, six);
  fs::permissions(tree_.path() / "run.sh", fs::perms::owner_exec, fs::perm_options::add);
  const auto executable = digest();
  EXPECT_NE(executable, six);
  fs::rename(tree_.path() / "a.txt", tree_.path() / "b.txt");
  EXPECT_NE(digest(), executable);
}

TEST_F(CodeDigest, TheSameTreeComesBackToTheSameDigest) {
  tree_.write("a.txt", "two\n");
  const auto two = digest();
  tree_.write("a.txt", "one\n");
  EXPECT_EQ(digest(), "");
  tree_.write("a.txt", "two\n");
  EXPECT_EQ(digest(), two);
}

TEST_F(CodeDigest, UntrackedFilesCountByNameModeAndContent) {
  tree_.write("new/x.txt", "1");
  const auto first = digest();
  EXPECT_NE(first, "");
  tree_.write("new/x.txt", "2");
  const auto second = digest();
  EXPECT_NE(second, first);
  fs::permissions(tree_.path() / "new/x.txt", fs::perms::owner_exec, fs::perm_options::add);
  EXPECT_NE(digest(), second);
}

TEST_F(CodeDigest, UntrackedFilesCanBeLeftOut) {
  untracked_ = false;
  tree_.write("build/out.o", "1");
  EXPECT_EQ(digest(), "");
  tree_.write("a.txt", "two\n");
  EXPECT_NE(digest(), "");
}

TEST_F(CodeDigest, IgnoredFilesDoNotCount) {
  tree_.write("ignored/cache", "1");
  EXPECT_EQ(digest(), "");
}

TEST_F(CodeDigest, StagingDoesNotMatterOnlyTheTreeDoes) {
  tree_.write("a.txt", "two\n");
  tree_.write("new.txt", "1");
  const auto unstaged = digest();
  tree_.git({"add", "."});
  EXPECT_EQ(digest(), unstaged);
  tree_.write("a.txt", "one\n");  // staged change taken back in the file
  tree_.git({"rm", "-q", "--cached", "new.txt"});
  fs::remove(tree_.path() / "new.txt");
  EXPECT_EQ(digest(), "");
}

TEST_F(CodeDigest, AddedAndDeletedAgainIsNoChange) {
  tree_.write("new.txt", "1");
  tree_.git({"add", "new.txt"});
  fs::remove(tree_.path() / "new.txt");
  EXPECT_EQ(digest(), "");
}

TEST_F(CodeDigest, DeletionCounts) {
  fs::remove(tree_.path() / "a.txt");
  EXPECT_NE(digest(), "");
}

TEST_F(CodeDigest, TouchedFileIsNoChange) {
  fs::last_write_time(tree_.path() / "a.txt", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(digest(), "");
}

TEST_F(CodeDigest, SymbolicLinksCountByTheirTarget) {
  fs::create_symlink("nowhere", tree_.path() / "link");
  const auto first = digest();
  fs::remove(tree_.path() / "link");
  fs::create_symlink("elsewhere", tree_.path() / "link");
  EXPECT_NE(digest(), first);
}

TEST_F(CodeDigest, SpecialFilesAreNeverOpened) {
  fs::remove(tree_.path() / "a.txt");
  ASSERT_EQ(::mkfifo((tree_.path() / "a.txt").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((tree_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_NE(digest(), "") << "and it came back: opening a FIFO would wait for ever";
}

TEST_F(CodeDigest, NamesWithLineEndsAndForeignBytes) {
  tree_.write("odd\nname\xff \"q\".txt", "1");
  const auto first = digest();
  tree_.write("odd\nname\xff \"q\".txt", "2");
  EXPECT_NE(digest(), first);
}

TEST_F(CodeDigest, UsersDiffConfigurationDoesNotMatter) {
  tree_.write("a.txt", "two\n");
  const auto plain = digest();
  for (const auto& [key, value] : {std::pair{"diff.noprefix", "true"},
                                   {"diff.external", "/bin/false"},
                                   {"diff.renames", "copies"},
                                   {"status.showUntrackedFiles", "no"},
                                   {"status.relativePaths", "true"},
                                   {"core.quotepath", "true"},
                                   {"color.ui", "always"},
                                   {"core.fsmonitor", "/bin/false"},
                                   {"diff.ignoreSubmodules", "all"}}) {
    tree_.git({"config", key, value});
  }
  tree_.write("new.txt", "1");
  const auto with_new = digest();
  EXPECT_NE(with_new, plain);
  fs::remove(tree_.path() / "new.txt");
  EXPECT_EQ(digest(), plain);
}

TEST_F(CodeDigest, ResultsAreNoCode) {
  exclude_ = {".flakestat", "reports/*.xml", "out/**/junit-*.xml", "./plain.xml", (tree_.path() / "abs.xml").string(),
              "b/{x,y}"};
  tree_.write(".flakestat/runs.ndjson", "{}");
  tree_.write("reports/a.xml", "<x/>");
  tree_.write("out/a/b/junit-1.xml", "<x/>");
  tree_.write("plain.xml", "<x/>");
  tree_.write("abs.xml", "<x/>");
  tree_.write("b/y", "");
  EXPECT_EQ(digest(), "");
  tree_.write("reports/a.txt", "1");
  EXPECT_NE(digest(), "");
}

TEST_F(CodeDigest, TrackedReportsAreNoCodeEither) {
  tree_.commit_file("report.xml", "<a/>");
  tree_.write("report.xml", "<b/>");
  EXPECT_NE(digest(), "");
  exclude_ = {"report.xml"};
  EXPECT_EQ(digest(), "");
}

TEST_F(CodeDigest, ExclusionIsRelativeToItsDirectory) {
  tree_.write("sub/.flakestat/log", "1");
  const auto state = read_git(tree_.path().string());
  EXPECT_EQ(*code_digest(state, {{".flakestat"}, true, (tree_.path() / "sub").string()}), std::nullopt);
  EXPECT_NE(*code_digest(state, {{".flakestat"}, true, tree_.path().string()}), std::nullopt);
}

TEST_F(CodeDigest, SubmodulesCountByCommitAndChanges) {
  const GitRepository library;
  library.commit_file("lib.c", "1");
  tree_.git({"submodule", "-q", "add", library.path().string(), "lib"});
  tree_.commit();
  EXPECT_EQ(digest(), "");
  tree_.write("lib/lib.c", "2");
  const auto changed = digest();
  EXPECT_NE(changed, "");
  tree_.write("lib/lib.c", "3");
  const auto other = digest();
  EXPECT_NE(other, changed);
  tree_.write("lib/new.c", "4");
  EXPECT_NE(digest(), other);
}

TEST_F(CodeDigest, NestedRepositoriesCountByCommitAndChanges) {
  fs::create_directories(tree_.path() / "vendor");
  const GitRepository nested(tree_.path() / "vendor");
  nested.commit_file("v.c", "1");
  const auto first = digest();
  EXPECT_NE(first, "");
  nested.write("v.c", "2");
  EXPECT_NE(digest(), first);
}

TEST_F(CodeDigest, WithoutCommitsEverythingIsUntracked) {
  const GitRepository fresh;
  fresh.write("a", "1");
  EXPECT_NE(*code_digest(read_git(fresh.path().string()), {}), std::nullopt);
}

TEST_F(CodeDigest, WithoutRepositoryThereIsNone) { EXPECT_EQ(*code_digest(GitState{}, {}), std::nullopt); }

TEST_F(CodeDigest, UnknownChangesAreAnErrorNotACleanTree) {
  auto state = read_git(tree_.path().string());
  state.changes_known = false;
  EXPECT_FALSE(code_digest(state, {}).ok());
}

TEST_F(CodeDigest, BigFilesAreStreamed) {
  tree_.write("big", std::string(3 << 20, 'x'));
  const auto first = digest();
  tree_.write("big", std::string((3 << 20) - 1, 'x') + 'y');
  EXPECT_NE(digest(), first);
}

}  // namespace
}  // namespace flakestat::env
