#include "sys/concurrent.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "sys/concurrent_fixture.hpp"

namespace flakestat::sys {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using KeeperPoolTest = testing::ConcurrentTest;

// Waits for a file that another copy makes: ends only when both run at the same time.
std::string meets(const std::string& folder, const std::string& own, const std::string& other) {
  return "touch " + folder + "/" + own + "; while ! test -e " + folder + "/" + other + "; do sleep 0.01; done";
}

TEST_F(KeeperPoolTest, CopiesRunAtTheSameTime) {
  const testing::TempDir folder;
  start(meets(folder.path(), "a", "b"));
  start(meets(folder.path(), "b", "a"));
  for (const auto& [id, ended] : ends(2)) EXPECT_EQ(ended.result.code, 0) << id;
}

TEST_F(KeeperPoolTest, EachEndIsToldOnceWithWhatTheCommandSaid) {
  const int first = start("echo one; exit 1");
  const int second = start("echo two >&2; exit 2");
  const auto all = ends(2);
  EXPECT_EQ(all.at(first).result.code, 1);
  EXPECT_EQ(all.at(first).result.output.text(), "one\n");
  EXPECT_EQ(all.at(second).result.code, 2);
  EXPECT_EQ(all.at(second).result.output.text(), "two\n");
  EXPECT_EQ(all.at(second).root, "");
}

TEST_F(KeeperPoolTest, WhoEndsFirstIsToldFirst) {
  const testing::TempDir folder;
  const int slow = start("while ! test -e " + folder.file("go") + "; do sleep 0.01; done");
  const int quick = start("true");
  EXPECT_EQ(pool_.next({}).id, quick);
  EXPECT_NE(folder.write("go", ""), "");
  EXPECT_EQ(pool_.next({}).id, slow);
}

TEST_F(KeeperPoolTest, SignalsAndMissingProgramsAreWhatASupervisorSays) {
  const int crash = start(command({program("child_crash"), "11"}));
  const int missing = start(command({"no-such-program-anywhere"}));
  const auto all = ends(2);
  EXPECT_EQ(all.at(crash).result.end, ChildEnd::signalled);
  EXPECT_EQ(all.at(crash).result.code, SIGSEGV);
  EXPECT_EQ(all.at(missing).result.end, ChildEnd::failed_to_start);
  EXPECT_EQ(all.at(missing).result.code, ENOENT);
  EXPECT_EQ(all.at(missing).result.start_problem, "run no-such-program-anywhere: No such file or directory in PATH");
}

TEST_F(KeeperPoolTest, TheCommandSeesWhatItSeesWithoutAKeeper) {
  const Fd extra(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const testing::TempDir folder;
  auto spec = command({program("child_facts"), "0", "a b"});
  spec.environment = {{"FLAKESTAT_RUN", "7"}};
  spec.directory = folder.path();
  start(spec);
  const auto in_copy = pool_.next({}).result.output.text();
  EXPECT_EQ(in_copy, Supervisor(clock_, interrupts_).run(spec).output.text());
  EXPECT_THAT(in_copy, HasSubstr("run=7\n"));
}

TEST_F(KeeperPoolTest, OurSignalHandlersReachNeitherKeeperNorCommand) {
  auto signals = Signals::install();
  ASSERT_TRUE(signals.ok());
  KeeperPool pool(clock_, *signals);
  ASSERT_TRUE(pool.start(command({program("child_facts")}), std::nullopt));
  EXPECT_THAT(pool.next({}).result.output.text(), HasSubstr("blocked=0\ndefault=1\n"));
  EXPECT_EQ(signals->level(), Interrupt::none);
}

TEST_F(KeeperPoolTest, MuchOutputArrivesWhole) {
  auto spec = command({program("child_flood"), "20"});
  spec.head_limit = std::size_t{1} << 20;
  spec.tail_limit = std::size_t{1} << 20;
  start(spec);
  const auto result = pool_.next({}).result;
  EXPECT_EQ(result.end, ChildEnd::exited);
  EXPECT_EQ(result.output.total(), 20U * 1024 * 1024 + 10);
  EXPECT_GE(result.output.text().size(), std::size_t{2} << 20);
}

TEST_F(KeeperPoolTest, ATimeoutEndsThatCopyAlone) {
  const testing::TempDir folder;
  auto hangs = shell("sleep 300");
  hangs.limits.timeout = 1ms;
  const int hung = start(hangs);
  const int other = start("while ! test -e " + folder.file("go") + "; do sleep 0.01; done");
  const auto first = pool_.next({});
  EXPECT_EQ(first.id, hung);
  EXPECT_EQ(first.result.end, ChildEnd::timed_out);
  EXPECT_NE(folder.write("go", ""), "");
  const auto second = pool_.next({});
  EXPECT_EQ(second.id, other);
  EXPECT_EQ(second.result.end, ChildEnd::exited);
}

TEST_F(KeeperPoolTest, ADaemonThatOutlivesTheCommandIsNamedAndEnded) {
  start(command({program("child_daemon"), "deaf"}));
  const auto result = pool_.next({}).result;
  ASSERT_THAT(result.leaked, SizeIs(1));
  EXPECT_EQ(result.leaked[0].name, "child_daemon");
  EXPECT_TRUE(gone(result.leaked[0].pid));
}

TEST_F(KeeperPoolTest, AnInterruptEndsAllCopies) {
  for (int i = 0; i < 3; ++i) start(command({program("child_ignore_term")}));
  tick_ = [&] { interrupts_.set(Interrupt::finish); };
  for (const auto& [id, ended] : ends(3)) EXPECT_EQ(ended.result.end, ChildEnd::interrupted) << id;
}

TEST_F(KeeperPoolTest, TheSecondInterruptDoesNotWaitForTheGrace) {
  auto spec = command({program("child_ignore_term")});
  spec.limits.grace = 1h;
  start(spec);
  tick_ = [&] { interrupts_.set(interrupts_.level() == Interrupt::none ? Interrupt::finish : Interrupt::now); };
  EXPECT_EQ(ends(1).begin()->second.result.end, ChildEnd::interrupted);
}

TEST_F(KeeperPoolTest, ACopyStartedAfterAnInterruptIsInterrupted) {
  interrupts_.set(Interrupt::finish);
  start("sleep 300");
  EXPECT_EQ(pool_.next({}).result.end, ChildEnd::interrupted);
}

TEST_F(KeeperPoolTest, AKilledKeeperIsALostRunAndItsCommandIsEnded) {
  const testing::TempDir folder;
  start("trap '' TERM; echo $$ > " + folder.file("pid") + ".new; mv " + folder.file("pid") + ".new " +
        folder.file("pid") + "; sleep 300");
  tick_ = [&] {
    if (std::filesystem::exists(folder.file("pid"))) ::kill(only_keeper(), SIGKILL);
  };
  const auto ended = ends(1).begin()->second;
  EXPECT_EQ(ended.result.end, ChildEnd::lost);
  EXPECT_THAT(ended.result.start_problem, HasSubstr("was killed by signal 9"));
  EXPECT_TRUE(gone(std::stoi(testing::slurp(folder.file("pid")))));
}

TEST_F(KeeperPoolTest, WithoutACopyNextSaysSo) {
  const auto ended = pool_.next({});
  EXPECT_EQ(ended.id, 0);
  EXPECT_EQ(ended.result.end, ChildEnd::lost);
}

TEST_F(KeeperPoolTest, NothingIsLeftOfReleasedCopies) {
  for (int i = 0; i < 10; ++i) start("true");
  for (const auto& [id, ended] : ends(10)) pool_.release(id);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(KeeperPoolTest, APoolThatGoesEndsWhatStillRuns) {
  const testing::TempDir folder;
  {
    KeeperPool pool(clock_, interrupts_);
    ASSERT_TRUE(pool.start(
        shell("trap '' TERM; echo $$ > " + folder.file("pid") + "; touch " + folder.file("ready") + "; sleep 300"),
        std::nullopt));
    while (!std::filesystem::exists(folder.file("ready"))) std::this_thread::sleep_for(5ms);
  }
  EXPECT_TRUE(gone(std::stoi(testing::slurp(folder.file("pid")))));
}

TEST_F(KeeperPoolTest, CopiesDieWithUs) {
  const testing::TempDir folder;
  const pid_t other_flakestat = ::fork();
  if (other_flakestat == 0) {
    KeeperPool pool(clock_, interrupts_);
    (void)pool.start(shell("echo $$ > " + folder.file("pid") + "; touch " + folder.file("ready") + "; sleep 300"),
                     std::nullopt);
    for (;;) ::pause();
  }
  while (!std::filesystem::exists(folder.file("ready"))) std::this_thread::sleep_for(5ms);
  ::kill(other_flakestat, SIGKILL);
  ::waitpid(other_flakestat, nullptr, 0);
  const auto pid = std::stoi(testing::slurp(folder.file("pid")));
  const auto ended = [&] {
    const auto now = read_process(pid);
    return !now || !now->alive();
  };
  while (!ended()) std::this_thread::sleep_for(5ms);  // the test's own time limit is the bound
  SUCCEED();
}

TEST_F(KeeperPoolTest, WhatDetachedItselfFromACopyDiesWithUsToo) {
  const testing::TempDir folder;
  const auto pid_file = folder.file("pid");
  const pid_t other_flakestat = ::fork();
  if (other_flakestat == 0) {
    KeeperPool pool(clock_, interrupts_);
    (void)pool.start(shell("setsid sh -c 'trap \"\" TERM; echo $$ > " + pid_file + "; touch " + folder.file("ready") +
                           "; sleep 300; sleep 300' & wait"),
                     std::nullopt);
    for (;;) ::pause();
  }
  while (!std::filesystem::exists(folder.file("ready"))) std::this_thread::sleep_for(5ms);
  ::kill(other_flakestat, SIGKILL);
  ::waitpid(other_flakestat, nullptr, 0);
  const auto pid = std::stoi(testing::slurp(pid_file));
  const auto ended = [&] {
    const auto now = read_process(pid);
    return !now || !now->alive();
  };
  while (!ended()) std::this_thread::sleep_for(5ms);  // the test's own time limit is the bound
  SUCCEED();
}

TEST_F(KeeperPoolTest, AChainThatNeverEndsIsEndedWhenItsKeeperWasKilled) {
  const auto name = "y-" + std::to_string(::getpid());
  start(shell(program("child_chain") + " deaf-setsid " + name + "; kill -9 $PPID; sleep 300"));
  EXPECT_EQ(pool_.next({}).result.end, ChildEnd::lost);
  for (int look = 0; look < 20; ++look) {
    for (const auto& process : list_processes()) EXPECT_NE(process.name, name);
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(KeeperPoolTest, TheSubreaperMarkIsGivenBack) {
  const auto mark = [] {
    int value = -1;
    ::prctl(PR_GET_CHILD_SUBREAPER, &value);
    return value;
  };
  const int before = mark();
  {
    const KeeperPool pool(clock_, interrupts_);
    EXPECT_EQ(mark(), 1);
  }
  EXPECT_EQ(mark(), before);
}

}  // namespace
}  // namespace flakestat::sys
