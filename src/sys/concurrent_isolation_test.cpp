// Real copies with real namespaces. Each test is named by the rule; what the machine refuses is skipped with its
// reason.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sys/concurrent_fixture.hpp"
#include "sys/copy_back.hpp"
#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Isolation kFs{true, false, false, false};
constexpr Isolation kTmp{false, true, false, false};
constexpr Isolation kPid{false, false, true, false};
constexpr Isolation kNet{false, false, false, true};
constexpr Isolation kAll{true, true, true, true};

// A plan that has all that was wanted, or the test is skipped.
#define NEED_PLAN(name, wanted)   \
  const auto name = plan(wanted); \
  if ((name).isolation != (wanted)) GTEST_SKIP() << "not isolated here: " << ::testing::PrintToString((name).notes)

class IsolatedCopyTest : public testing::ConcurrentTest {
 protected:
  IsolatedCopyTest() {
    tree_ = fs::canonical(work_.path()) / "tree";
    EXPECT_NE(work_.write("tree/folder/file", "original\n"), "");
  }

  [[nodiscard]] IsolationRequest request(const Isolation& wanted) const {
    IsolationRequest request;
    request.wanted = wanted;
    request.tree = tree_;
    request.scratch_candidates = {scratch_.path()};
    request.temp_folder = "";
    return request;
  }
  [[nodiscard]] IsolationPlan plan(const Isolation& wanted) const { return plan_isolation(request(wanted)); }
  [[nodiscard]] std::string in_tree(const std::string& name) const { return tree_ + "/" + name; }
  [[nodiscard]] bool scratch_is_empty() const { return fs::is_empty(scratch_.path()); }

  testing::TempDir work_;
  testing::TempDir scratch_;
  std::string tree_;
};

TEST_F(IsolatedCopyTest, ChangesOfTheTreeStayInTheCopy) {
  NEED_PLAN(own_tree, kFs);
  const auto line = [&](const std::string& word) {
    const auto file = in_tree("folder/file");
    return "echo " + word + " >> " + file + "; rm -f " + in_tree("gone") + "; sleep 0.05; cat " + file;
  };
  const int one = start(line("one"), own_tree);
  const int two = start(line("two"), own_tree);
  const auto all = ends(2);
  EXPECT_EQ(all.at(one).result.output.text(), "original\none\n");
  EXPECT_EQ(all.at(two).result.output.text(), "original\ntwo\n");
  EXPECT_EQ(testing::slurp(in_tree("folder/file")), "original\n");
}

TEST_F(IsolatedCopyTest, AReportIsReadThroughTheRootUntilTheCopyIsReleased) {
  NEED_PLAN(everything, kAll);
  const int id = start("echo report > " + in_tree("report.xml") + "; echo other > /tmp/other.xml", everything);
  const auto ended = pool_.next({});
  ASSERT_EQ(ended.result.code, 0) << ended.result.output.text();
  EXPECT_EQ(testing::slurp(ended.root + in_tree("report.xml")), "report\n");
  EXPECT_EQ(testing::slurp(ended.root + "/tmp/other.xml"), "other\n");
  EXPECT_FALSE(fs::exists(in_tree("report.xml")));
  EXPECT_FALSE(fs::exists("/tmp/other.xml"));
  pool_.release(id);
  EXPECT_FALSE(fs::exists(ended.root));
}

TEST_F(IsolatedCopyTest, FoldersThatWereThereBeforeCanBeRenamedAndRemoved) {
  NEED_PLAN(own_tree, kFs);
  EXPECT_EQ(output_of("cd " + tree_ + " && mv -T folder other && cat other/file && rm -r other && ls", own_tree),
            "original\n");
  EXPECT_EQ(testing::slurp(in_tree("folder/file")), "original\n");
}

TEST_F(IsolatedCopyTest, RenameOfAFolderIsOneSystemCallThere) {
  NEED_PLAN(own_tree, kFs);
  start(command({"/usr/bin/env", "python3", "-c",
                 "import os; os.rename('" + in_tree("folder") + "', '" + in_tree("other") + "')"}),
        own_tree);
  const auto result = pool_.next({}).result;
  if (result.code == 127) GTEST_SKIP() << "no python3";
  EXPECT_EQ(result.code, 0) << result.output.text();
}

TEST_F(IsolatedCopyTest, ACopiedTreeIsIsolatedLikeAnOverlay) {
  NEED_PLAN(own_tree, kFs);
  auto copied = own_tree;
  copied.tree_copy = TreeCopy::copied;
  EXPECT_EQ(output_of("cd " + tree_ + " && mv folder other && echo more >> other/file && cat other/file", copied),
            "original\nmore\n");
  EXPECT_EQ(testing::slurp(in_tree("folder/file")), "original\n");
  EXPECT_FALSE(fs::exists(in_tree("other")));
}

TEST_F(IsolatedCopyTest, TheTreeKeepsItsModeItsTimesAndItsName) {
  NEED_PLAN(own_tree, kFs);
  fs::permissions(tree_, fs::perms(0751));
  const auto line = "cd " + tree_ + " && pwd -P && stat -c '%a %Y %u %g' . folder folder/file";
  EXPECT_EQ(output_of(line, own_tree), output_of(line, std::nullopt));
}

TEST_F(IsolatedCopyTest, AFileSystemBelowTheTreeStaysSharedAndIsNamed) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  fs::create_directory(in_tree("a b"));
  if (::mount("tmpfs", in_tree("a b").c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "no mounts here";
  const auto own_tree = plan(kFs);
  const auto said = ::testing::PrintToString(own_tree.notes);
  const auto seen = own_tree.isolation.fs ? output_of("echo shared > '" + in_tree("a b/file") + "'", own_tree) : "";
  const auto shared = fs::exists(in_tree("a b/file")) ? testing::slurp(in_tree("a b/file")) : "";
  ::umount2(in_tree("a b").c_str(), MNT_DETACH);
  if (!own_tree.isolation.fs) GTEST_SKIP() << "not isolated here: " << said;
  EXPECT_EQ(shared, "shared\n");
  EXPECT_THAT(said, HasSubstr(in_tree("a b") + " is a file system of its own: shared by all copies."));
}

TEST_F(IsolatedCopyTest, AFixedFileInTmpIsTheCopysOwn) {
  NEED_PLAN(own_tmp, kTmp);
  const auto name = "/tmp/flakestat-fixed-" + std::to_string(::getpid());
  const auto line = "set -C; echo mine > " + name + " && sleep 0.05; stat -c %a /tmp /dev/shm; ls /dev/shm";
  const int one = start(line, own_tmp);
  const int two = start(line, own_tmp);
  for (const auto& [id, ended] : ends(2)) {
    EXPECT_EQ(ended.result.output.text(), "1777\n1777\n") << id;
    EXPECT_EQ(testing::slurp(ended.root + name), "mine\n") << id;
  }
  EXPECT_FALSE(fs::exists(name));
  EXPECT_NE(one, two);
}

TEST_F(IsolatedCopyTest, ATreeBelowTmpIsStillThereAndSharedWithoutFs) {
  if (!is_within(tree_, "/tmp")) GTEST_SKIP() << "temporary folders are elsewhere: " << tree_;
  NEED_PLAN(own_tmp, kTmp);
  EXPECT_EQ(output_of("cat " + in_tree("folder/file") + "; echo new > " + in_tree("new") + "; stat -c %a " +
                          work_.path().string(),
                      own_tmp),
            "original\n700\n");
  EXPECT_EQ(testing::slurp(in_tree("new")), "new\n");
}

TEST_F(IsolatedCopyTest, ATreeBelowTmpIsTheCopysOwnWithFs) {
  const Isolation both{true, true, false, false};
  NEED_PLAN(own, both);
  EXPECT_EQ(output_of("cat " + in_tree("folder/file") + "; echo new > " + in_tree("new"), own), "original\n");
  EXPECT_FALSE(fs::exists(in_tree("new")));
}

TEST_F(IsolatedCopyTest, ATreeOutsideTmpIsTheCopysOwn) {
  std::string outside = "/var/tmp/flakestat-test-XXXXXX";
  if (::mkdtemp(outside.data()) == nullptr) GTEST_SKIP() << "/var/tmp cannot be written";
  tree_ = fs::canonical(outside);
  const auto own = plan(kAll);
  const auto text = own.isolation == kAll ? output_of("cd " + tree_ + " && echo new > new && ls", own) : "";
  const bool leaked = fs::exists(in_tree("new"));
  fs::remove_all(outside);
  if (own.isolation != kAll) GTEST_SKIP() << ::testing::PrintToString(own.notes);
  EXPECT_EQ(text, "new\n");
  EXPECT_FALSE(leaked);
}

TEST_F(IsolatedCopyTest, AnotherTemporaryFolderIsPrivateToo) {
  std::string other = "/var/tmp/flakestat-test-XXXXXX";
  if (::mkdtemp(other.data()) == nullptr) GTEST_SKIP() << "/var/tmp cannot be written";
  auto wanted = request(kTmp);
  wanted.temp_folder = other;
  const auto own_tmp = plan_isolation(wanted);
  const auto text = own_tmp.isolation.tmp ? output_of("echo x > " + other + "/file; stat -c %a " + other, own_tmp) : "";
  const bool leaked = fs::exists(other + "/file");
  fs::remove_all(other);
  if (!own_tmp.isolation.tmp) GTEST_SKIP() << ::testing::PrintToString(own_tmp.notes);
  EXPECT_EQ(text, "700\n");
  EXPECT_FALSE(leaked);
}

TEST_F(IsolatedCopyTest, ATemporaryFolderBelowTmpExistsInThePrivateOne) {
  const testing::TempDir below;
  auto wanted = request(kTmp);
  wanted.temp_folder = below.path();
  EXPECT_NE(below.write("secret", ""), "");
  const auto own_tmp = plan_isolation(wanted);
  if (!own_tmp.isolation.tmp) GTEST_SKIP() << ::testing::PrintToString(own_tmp.notes);
  EXPECT_EQ(output_of("cd " + below.path().string() + " && ls -A && stat -c %a .", own_tmp), "700\n");
}

TEST_F(IsolatedCopyTest, NamedSocketsStayInAPrivateTmp) {
  const testing::TempDir folder;
  auto wanted = request(kTmp);
  wanted.sockets = {folder.write("agent/socket", "reached\n"), "/tmp/no-such-socket"};
  const auto own_tmp = plan_isolation(wanted);
  if (!own_tmp.isolation.tmp) GTEST_SKIP() << ::testing::PrintToString(own_tmp.notes);
  EXPECT_EQ(output_of("cat " + wanted.sockets.front() + "; ls " + folder.path().string(), own_tmp), "reached\nagent\n");
}

TEST_F(IsolatedCopyTest, ProcessesAreTheCopysOwnAndTheCommandIsNotTheFirst) {
  NEED_PLAN(own_processes, kPid);
  const auto text = output_of("echo $$; ls /proc | grep -c '^[0-9]'; test -d /proc/$$ && echo there", own_processes);
  const auto lines = text.substr(0, text.find('\n'));
  EXPECT_GT(std::stoi(lines), 1) << text;
  EXPECT_LT(std::stoi(lines), 100) << text;
  EXPECT_THAT(text, ::testing::EndsWith("there\n"));
  EXPECT_LT(std::stoi(text.substr(lines.size() + 1)), 10) << text;
}

TEST_F(IsolatedCopyTest, ACommandThatKillsEverythingItSeesKillsOnlyItsCopy) {
  NEED_PLAN(own_processes, kPid);
  const int killer = start("kill -9 -1", own_processes);
  const int other = start("sleep 0.1; echo alive", own_processes);
  const auto all = ends(2);
  EXPECT_NE(all.at(killer).result.end, ChildEnd::lost);
  EXPECT_EQ(all.at(other).result.output.text(), "alive\n");
}

TEST_F(IsolatedCopyTest, ADaemonInACopyIsNamedAndEnded) {
  NEED_PLAN(everything, kAll);
  auto daemon = command({program("child_daemon"), "deaf"});
  start(daemon, everything);
  const auto result = pool_.next({}).result;
  ASSERT_THAT(result.leaked, SizeIs(1)) << result.start_problem << result.output.text();
  EXPECT_EQ(result.leaked[0].name, "child_daemon");
  EXPECT_THAT(result.unended, IsEmpty());
}

TEST_F(IsolatedCopyTest, AFixedPortIsTheCopysOwnAndLoopbackAnswers) {
  NEED_PLAN(own_net, kNet);
  const std::string listen =
      "import socket,time\n"
      "s = socket.create_server(('127.0.0.1', 34567))\n"
      "c = socket.create_connection(('127.0.0.1', 34567))\n"
      "time.sleep(0.1)\n"
      "print('answered')\n";
  for (int i = 0; i < 2; ++i) start(command({"/usr/bin/env", "python3", "-c", listen}), own_net);
  for (const auto& [id, ended] : ends(2)) {
    if (ended.result.code == 127) GTEST_SKIP() << "no python3";
    EXPECT_EQ(ended.result.output.text(), "answered\n") << id;
    EXPECT_EQ(ended.root, "") << id;
  }
}

TEST_F(IsolatedCopyTest, TheNetworkIsEmptyButForTheLoopback) {
  NEED_PLAN(own_net, kNet);
  EXPECT_THAT(output_of("cat /proc/net/dev | grep : | cut -d: -f1", own_net), HasSubstr("lo\n"));
  EXPECT_THAT(output_of("cat /proc/net/route | wc -l", own_net), AnyOf("1\n", "0\n"));
}

TEST_F(IsolatedCopyTest, TheCommandSeesWhatItSeesWithoutIsolation) {
  NEED_PLAN(everything, kAll);
  auto spec = command({program("child_facts"), "0", "a b"});
  spec.environment = {{"FLAKESTAT_RUN", "7"}};
  spec.directory = tree_;
  start(spec, everything);
  const auto isolated = pool_.next({}).result.output.text();
  EXPECT_EQ(isolated, Supervisor(clock_, interrupts_).run(spec).output.text());
  EXPECT_EQ(output_of("id; umask; pwd", everything), output_of("id; umask; pwd", std::nullopt));
}

TEST_F(IsolatedCopyTest, TheScratchIsEmptyAfterRelease) {
  NEED_PLAN(everything, kAll);
  EXPECT_TRUE(scratch_is_empty()) << "left by probing";
  {
    KeeperPool pool(clock_, interrupts_);
    ASSERT_TRUE(pool.start(
        shell("cd " + tree_ + "; rm -r folder; mkdir -p folder/new; chmod 0 folder/new; date > /tmp/x"), everything));
    const auto ended = pool.next({});
    EXPECT_FALSE(scratch_is_empty());
    pool.release(ended.id);
    const auto own = fs::directory_iterator(scratch_.path())->path();
    EXPECT_EQ(std::distance(fs::directory_iterator(own), fs::directory_iterator()), 1) << "only the lock";
  }
  EXPECT_TRUE(scratch_is_empty());
}

TEST_F(IsolatedCopyTest, ManyCopiesLeaveNoDescriptorNoProcessAndNoFile) {
  NEED_PLAN(everything, kAll);
  const auto open_descriptors = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = open_descriptors();
  const int rounds = std::getenv("FLAKESTAT_SOAK") != nullptr ? 50 : 2;
  for (int round = 0; round < rounds; ++round) {
    KeeperPool pool(clock_, interrupts_);
    std::vector<int> own;
    for (int i = 0; i < 8; ++i) {
      const auto word = std::to_string(i);
      const auto id = pool.start(shell("cd " + tree_ + "; echo " + word + " > same; sleep 0.02; cat same"), everything);
      ASSERT_TRUE(id) << id.error().message;
      own.push_back(*id);
    }
    for (int i = 0; i < 8; ++i) {
      const auto ended = pool.next({});
      const auto word = std::find(own.begin(), own.end(), ended.id) - own.begin();
      EXPECT_EQ(ended.result.output.text(), std::to_string(word) + "\n") << ended.result.start_problem;
      pool.release(ended.id);
    }
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_TRUE(scratch_is_empty());
}

TEST_F(IsolatedCopyTest, AnInterruptEndsIsolatedCopies) {
  NEED_PLAN(everything, kAll);
  for (int i = 0; i < 2; ++i) start(command({program("child_ignore_term")}), everything);
  tick_ = [&] { interrupts_.set(Interrupt::finish); };
  for (const auto& [id, ended] : ends(2)) EXPECT_EQ(ended.result.end, ChildEnd::interrupted) << id;
}

TEST_F(IsolatedCopyTest, AKilledKeeperTakesItsProcessesAlongAndIsALostRun) {
  NEED_PLAN(everything, kAll);
  start(command({program("child_daemon"), "deaf"}), everything);
  start("sleep 300", everything);
  tick_ = [&] { ::kill(only_keeper(), SIGKILL); };
  const auto first = pool_.next({});
  const auto second = pool_.next(tick_);
  EXPECT_EQ(first.result.end, ChildEnd::exited);
  EXPECT_EQ(second.result.end, ChildEnd::lost);
  EXPECT_THAT(second.result.start_problem, HasSubstr("killed by signal 9"));
}

TEST_F(IsolatedCopyTest, AnIsolationThatFailsIsALostRunThatSaysWhy) {
  NEED_PLAN(own_tree, kFs);
  auto broken = own_tree;
  broken.tree = in_tree("no-such-folder");
  start("true", broken);
  const auto result = pool_.next({}).result;
  EXPECT_EQ(result.end, ChildEnd::lost);
  EXPECT_THAT(result.start_problem, HasSubstr("isolate the copy: open " + broken.tree));
}

TEST_F(IsolatedCopyTest, AGitDirectoryOutsideTheTreeIsTheCopysOwnToo) {
  EXPECT_NE(work_.write("git/HEAD", "main\n"), "");
  auto wanted = request(kFs);
  wanted.git_dir = work_.file("git");
  const auto own = plan_isolation(wanted);
  if (!own.isolation.fs) GTEST_SKIP() << ::testing::PrintToString(own.notes);
  ASSERT_THAT(own.also, SizeIs(1));
  EXPECT_EQ(output_of("echo other > " + own.also[0] + "/HEAD; cat " + own.also[0] + "/HEAD", own), "other\n");
  EXPECT_EQ(testing::slurp(work_.file("git/HEAD")), "main\n");
}

TEST_F(IsolatedCopyTest, ATreeInsideTheGitDirectoryIsStillTheCopysOwn) {
  EXPECT_NE(work_.write("git/HEAD", "main\n"), "");
  EXPECT_NE(work_.write("git/worktree/file", "original\n"), "");
  auto wanted = request(kFs);
  wanted.git_dir = work_.file("git");
  tree_ = fs::canonical(work_.file("git/worktree"));
  wanted.tree = tree_;
  const auto own = plan_isolation(wanted);
  if (!own.isolation.fs) GTEST_SKIP() << ::testing::PrintToString(own.notes);
  EXPECT_EQ(output_of("cd " + tree_ + "; echo other > file; echo other > ../HEAD; cat file ../HEAD", own),
            "other\nother\n");
  EXPECT_EQ(testing::slurp(work_.file("git/HEAD")), "main\n");
  EXPECT_EQ(testing::slurp(in_tree("file")), "original\n");
}

TEST_F(IsolatedCopyTest, KeptFilesComeBackAndOthersDoNot) {
  NEED_PLAN(own_tree, kFs);
  const int id = start(
      "cd " + tree_ + "; mkdir -p out/deep; echo a > out/deep/a; ln -s /etc/passwd out/link; echo b > b", own_tree);
  ASSERT_EQ(pool_.next({}).result.code, 0);
  const auto kept = pool_.keep(id, "out");
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(testing::slurp(in_tree("out/deep/a")), "a\n");
  EXPECT_EQ(fs::read_symlink(in_tree("out/link")), "/etc/passwd");
  EXPECT_FALSE(fs::exists(in_tree("b")));
  EXPECT_TRUE(pool_.keep(id, in_tree("b")));
  EXPECT_EQ(testing::slurp(in_tree("b")), "b\n");
}

TEST_F(IsolatedCopyTest, NothingOutsideTheTreeIsKept) {
  NEED_PLAN(own_tree, kFs);
  fs::create_directory(work_.file("outside"));
  const int id = start("cd " + tree_ + "; ln -s " + work_.file("outside") + " way-out; echo x > way-out/x", own_tree);
  ASSERT_EQ(pool_.next({}).result.code, 0);
  for (const auto& path : {std::string("../outside"), std::string("/etc/passwd"), std::string("way-out/x"),
                           std::string("."), std::string(""), tree_ + "/../outside/x"}) {
    const auto kept = pool_.keep(id, path);
    ASSERT_FALSE(kept) << path;
    EXPECT_EQ(kept.error().kind, ErrorKind::usage) << path << ": " << kept.error().message;
  }
  EXPECT_EQ(pool_.keep(id, "no-such-file").error().kind, ErrorKind::missing);
}

}  // namespace
}  // namespace flakestat::sys
