// What planning finds possible, and how it says what is not.
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "sys/concurrent_fixture.hpp"
#include "sys/isolation.hpp"
#include "sys/namespaces.hpp"

namespace flakestat::sys {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Isolation kFs{true, false, false, false};
constexpr Isolation kTmp{false, true, false, false};
constexpr Isolation kAll{true, true, true, true};
constexpr uid_t kNobody = 65534;

class IsolationPlanTest : public testing::ConcurrentTest {
 protected:
  IsolationPlanTest() { EXPECT_NE(work_.write("tree/folder/file", "original\n"), ""); }

  [[nodiscard]] std::string tree() const { return fs::canonical(work_.file("tree")); }
  [[nodiscard]] IsolationRequest request(const Isolation& wanted) const {
    IsolationRequest request;
    request.wanted = wanted;
    request.tree = work_.file("tree");
    request.scratch_candidates = {scratch_.path()};
    request.temp_folder = "";
    return request;
  }
  // Runs what returns true for success in a process of its own.
  template <class Check>
  [[nodiscard]] static bool elsewhere(const Check& check) {
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(check() ? 0 : 1);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  void give_folders_to_nobody() const {
    for (const auto* folder : {&work_, &scratch_}) {
      EXPECT_EQ(::chown(folder->path().c_str(), kNobody, kNobody), 0);
      for (const auto& each : fs::recursive_directory_iterator(folder->path())) {
        EXPECT_EQ(::lchown(each.path().c_str(), kNobody, kNobody), 0);
      }
    }
  }
  static bool become_nobody() {
    return ::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
           ::setresuid(kNobody, kNobody, kNobody) == 0 &&
           ::prctl(PR_SET_DUMPABLE, 1) == 0;  // as after an exec; else /proc/self is root's
  }
  static bool lose_the_right_to_mount() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    if (::syscall(SYS_capget, &header, data.data()) != 0) return false;
    for (auto* set : {&data[0].effective, &data[0].permitted}) *set &= ~(1U << CAP_SYS_ADMIN);
    return ::syscall(SYS_capset, &header, data.data()) == 0 && ::prctl(PR_SET_DUMPABLE, 1) == 0;
  }
  static bool says(const IsolationPlan& plan, const std::string& text) {
    for (const auto& note : plan.notes) {
      if (note.find(text) != std::string::npos) return true;
    }
    return false;
  }

  testing::TempDir work_;
  testing::TempDir scratch_;
};

TEST_F(IsolationPlanTest, NothingWantedIsNothingDone) {
  const auto plan = plan_isolation(request({}));
  EXPECT_FALSE(plan.isolation.any());
  EXPECT_THAT(plan.notes, IsEmpty());
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
}

TEST_F(IsolationPlanTest, WhatIsNotGrantedIsNamedAndWhatIsGrantedWasWanted) {
  const auto plan = plan_isolation(request(kAll));
  const auto missing = !plan.isolation.fs + !plan.isolation.tmp + !plan.isolation.pid + !plan.isolation.net;
  EXPECT_GE(plan.notes.size(), static_cast<std::size_t>(missing > 0 ? 1 : 0)) << to_string(plan.isolation);
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
  EXPECT_EQ(plan.tree, tree());
}

TEST_F(IsolationPlanTest, AMissingTreeAndTheRootFolderAreRefused) {
  auto wanted = request(kFs);
  wanted.tree = work_.file("no-such-tree");
  EXPECT_FALSE(plan_isolation(wanted).isolation.fs);
  wanted.tree = "/";
  const auto plan = plan_isolation(wanted);
  EXPECT_FALSE(plan.isolation.any());
  EXPECT_THAT(plan.notes, Contains(HasSubstr("it is the root folder")));
}

TEST_F(IsolationPlanTest, ScratchInsideTheTreeIsNotUsed) {
  auto wanted = request(kFs);
  wanted.scratch_candidates = {work_.file("tree/state"), scratch_.path()};
  const auto plan = plan_isolation(wanted);
  if (!plan.isolation.fs) GTEST_SKIP() << ::testing::PrintToString(plan.notes);
  EXPECT_EQ(plan.scratch, fs::canonical(scratch_.path()));
  EXPECT_FALSE(fs::exists(work_.file("tree/state"))) << "made for nothing";
}

TEST_F(IsolationPlanTest, CandidatesThatCannotBeMadeArePassedOver) {
  auto wanted = request(kFs);
  wanted.scratch_candidates = {"/proc/no-folder-here", work_.file("tree/folder/file/below"), scratch_.path()};
  const auto plan = plan_isolation(wanted);
  if (!plan.isolation.fs) GTEST_SKIP() << ::testing::PrintToString(plan.notes);
  EXPECT_EQ(plan.scratch, fs::canonical(scratch_.path()));
}

TEST_F(IsolationPlanTest, AScratchFolderOfAnotherUserIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "giving a folder away needs root";
  const testing::TempDir other;
  ASSERT_EQ(::chown(other.path().c_str(), kNobody, kNobody), 0);
  auto wanted = request(kFs);
  wanted.scratch_candidates = {other.path(), scratch_.path()};
  const auto plan = plan_isolation(wanted);
  if (!plan.isolation.fs) GTEST_SKIP() << ::testing::PrintToString(plan.notes);
  EXPECT_EQ(plan.scratch, fs::canonical(scratch_.path()));
}

TEST_F(IsolationPlanTest, WhyNeitherAnOverlayNorACopyIsToBeHadIsTheFirstReasonOfEach) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become nobody";
  if (!can_fork_into(CLONE_NEWUSER)) GTEST_SKIP() << "user namespaces are not permitted here";
  EXPECT_NE(work_.write("tree/secret", ""), "");
  fs::permissions(work_.file("tree/secret"), fs::perms::none);
  fs::permissions(work_.path(), fs::perms(0755));
  ASSERT_EQ(::chown(scratch_.path().c_str(), kNobody, kNobody), 0);
  EXPECT_TRUE(elsewhere([&] {
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return false;
    ::prctl(PR_SET_DUMPABLE, 1);
    auto wanted = request(kFs);
    wanted.scratch_candidates.emplace_back("/no/such/folder");
    const auto said = ::testing::PrintToString(plan_isolation(wanted).notes);
    std::cerr << "as nobody: " << said << "\n";
    return said.find("cannot be isolated: rename the folder") != std::string::npos &&
           said.find("secret") != std::string::npos;
  }));
}

TEST_F(IsolationPlanTest, WithoutAFolderOutsideChangesAreKeptInMemoryAndThatIsSaid) {
  auto wanted = request({true, true, true, false});
  wanted.scratch_candidates = {};
  const auto plan = plan_isolation(wanted);
  if (!plan.isolation.fs) GTEST_SKIP() << ::testing::PrintToString(plan.notes);
  EXPECT_EQ(plan.scratch, "");
  EXPECT_THAT(plan.notes, Contains(HasSubstr("What copies change is kept in memory")));
  const auto line = "cd " + tree() +
                    " && mv folder other && echo x > other/new && ls /mnt /dev/shm | grep -c upper; cat " + tree() +
                    "/other/file";
  EXPECT_EQ(output_of(line, plan), "0\noriginal\n");
  EXPECT_EQ(testing::slurp(tree() + "/folder/file"), "original\n");
}

TEST_F(IsolationPlanTest, AnOverlayOnAnOverlayIsNotRelied) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  for (const auto* name : {"lower", "upper", "work", "over"}) fs::create_directory(scratch_.file(name));
  const auto options = "lowerdir=" + scratch_.file("lower") + ",upperdir=" + scratch_.file("upper") +
                       ",workdir=" + scratch_.file("work");
  if (::mount("overlay", scratch_.file("over").c_str(), "overlay", 0, options.c_str()) != 0) {
    GTEST_SKIP() << "no overlays here";
  }
  auto wanted = request(kFs);
  wanted.scratch_candidates = {scratch_.file("over")};
  const auto plan = plan_isolation(wanted);
  const auto text = plan.isolation.fs ? output_of("cd " + tree() + " && mv folder other && cat other/file", plan) : "";
  ::umount2(scratch_.file("over").c_str(), MNT_DETACH);
  // Whichever way is left, it works.
  EXPECT_TRUE(plan.isolation.fs) << ::testing::PrintToString(plan.notes);
  EXPECT_EQ(text, "original\n");
}

TEST_F(IsolationPlanTest, ATemporaryFolderThatHoldsTheHomeFolderIsShared) {
  const char* home = std::getenv("HOME");
  if (home == nullptr || !fs::path(home).has_parent_path() || fs::path(home).parent_path() == home) {
    GTEST_SKIP() << "no home folder";
  }
  for (const auto& folder : {std::string(home), std::string("/")}) {
    auto wanted = request(kTmp);
    wanted.temp_folder = folder;
    const auto plan = plan_isolation(wanted);
    if (!plan.isolation.tmp) GTEST_SKIP() << ::testing::PrintToString(plan.notes);
    EXPECT_THAT(plan.temps, ElementsAre("/tmp"));
    EXPECT_THAT(plan.notes, Contains(HasSubstr("is shared by all copies: it holds more than temporary files")));
  }
}

TEST_F(IsolationPlanTest, ATemporaryFolderInTheTreeIsTheTreesAffair) {
  auto wanted = request({true, true, false, false});
  wanted.temp_folder = work_.file("tree/folder");
  const auto plan = plan_isolation(wanted);
  if (!plan.isolation.fs || !plan.isolation.tmp) GTEST_SKIP() << ::testing::PrintToString(plan.notes);
  EXPECT_THAT(plan.temps, ElementsAre("/tmp"));
}

TEST_F(IsolationPlanTest, AGitDirectoryInTheTreeNeedsNothingOfItsOwn) {
  EXPECT_NE(work_.write("tree/.git/HEAD", ""), "");
  auto wanted = request(kFs);
  wanted.git_dir = work_.file("tree/.git");
  EXPECT_THAT(plan_isolation(wanted).also, IsEmpty());
}

TEST_F(IsolationPlanTest, AnInterruptEndsPlanning) {
  // A copied tree with a pipe that cp would wait for is not to be had; an interrupt that is there already is enough.
  interrupts_.set(Interrupt::now);
  for (int i = 0; i < 200; ++i) EXPECT_NE(work_.write("tree/many/" + std::to_string(i), std::string(10'000, 'x')), "");
  const auto plan = plan_isolation(request(kAll), &interrupts_);
  // Planning may have been over before the interrupt was heard; then it is whole.
  if (plan.isolation.any()) SUCCEED();
  else EXPECT_THAT(plan.notes, Not(IsEmpty()));
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
}

TEST_F(IsolationPlanTest, WithoutPrivilegesAUserNamespaceGivesTheSame) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become nobody; run by nobody, the other tests take this path";
  give_folders_to_nobody();
  const bool worked = elsewhere([&] {
    if (!become_nobody()) return false;
    const auto plan = plan_isolation(request(kAll));
    for (const auto& note : plan.notes) std::cerr << "as nobody: " << note << "\n";
    if (plan.isolation != kAll) return !plan.user_namespace && !plan.notes.empty();  // refused here, and said
    KeeperPool pool(clock_, interrupts_);
    const auto line = "cd " + tree() + " && mv folder other && echo more >> other/file && cat other/file && " +
                      "echo x > /tmp/flakestat-nobody && id -u && id -g && grep CapEff /proc/self/status";
    for (int i = 0; i < 2; ++i) {
      if (!pool.start(shell(line), plan)) return false;
    }
    bool same = true;
    for (int i = 0; i < 2; ++i) {
      const auto ended = pool.next({});
      const auto text = ended.result.output.text();
      same = same && text == "original\nmore\n65534\n65534\nCapEff:\t0000000000000000\n";
      if (!same) std::cerr << text << ended.result.start_problem << "\n";
      same = same && testing::slurp(ended.root + tree() + "/other/file") == "original\nmore\n";
      pool.release(ended.id);
    }
    return same;
  });
  EXPECT_TRUE(worked);
  EXPECT_EQ(testing::slurp(tree() + "/folder/file"), "original\n");
  EXPECT_FALSE(fs::exists("/tmp/flakestat-nobody"));
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
}

TEST_F(IsolationPlanTest, AProcThatCannotBeMountedAnewCostsPidOnlyAndIsNamed) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  if (::access("/proc/irq", F_OK) != 0) GTEST_SKIP() << "no folder in /proc to hide";
  give_folders_to_nobody();
  EXPECT_TRUE(elsewhere([&] {
    // As containers do: a part of /proc is hidden, so that a user namespace may not show all of it again.
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", "/proc/irq", "tmpfs", 0, nullptr) != 0 || !become_nobody()) {
      return false;
    }
    const auto plan = plan_isolation(request(kAll));
    if (!plan.isolation.any()) return !plan.notes.empty();  // no user namespaces here
    return plan.isolation == Isolation{true, true, false, true} &&
           says(plan, "Processes cannot be isolated: mount /proc");
  }));
}

TEST_F(IsolationPlanTest, RootWithoutTheRightToMountDoesNotIsolateAnotherUsersTree) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  give_folders_to_nobody();
  EXPECT_TRUE(elsewhere([&] {
    if (!lose_the_right_to_mount()) return false;
    const auto plan = plan_isolation(request(kAll));
    return !plan.isolation.any() && !plan.user_namespace && !plan.notes.empty();
  }));
}

TEST_F(IsolationPlanTest, RootWithoutTheRightToMountIsolatesItsOwnTree) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_TRUE(elsewhere([&] {
    if (!lose_the_right_to_mount()) return false;
    const auto plan = plan_isolation(request(kAll));
    if (!plan.isolation.any()) return !plan.notes.empty();  // no user namespaces here
    KeeperPool pool(clock_, interrupts_);
    if (!pool.start(shell("cd " + tree() + " && echo more >> folder/file && cat folder/file"), plan)) return false;
    return pool.next({}).result.output.text() == "original\nmore\n";
  }));
  EXPECT_EQ(testing::slurp(tree() + "/folder/file"), "original\n");
}

}  // namespace
}  // namespace flakestat::sys
