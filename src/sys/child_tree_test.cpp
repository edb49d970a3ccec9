#include "sys/child_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

namespace flakestat::sys {
namespace {

constexpr pid_t kSelf = 100;
constexpr pid_t kOurSession = 50;
constexpr pid_t kCommand = 200;

ProcessInfo process(pid_t pid, pid_t parent, pid_t session) {
  ProcessInfo info;
  info.pid = pid;
  info.parent = parent;
  info.session = session;
  info.state = 'S';
  return info;
}

std::vector<pid_t> descendants(const std::vector<ProcessInfo>& all) {
  std::vector<pid_t> pids;
  for (const auto& found : supervised_descendants(all, kSelf, kOurSession, {600}, kCommand)) pids.push_back(found.pid);
  std::sort(pids.begin(), pids.end());
  return pids;
}

using Pids = std::vector<pid_t>;

TEST(ProcessStat, FieldsAreFoundBehindAHostileName) {
  const auto info = parse_process_stat("42 (a) R 1 (x)) S 7 8 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 9\n");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->pid, 42);
  EXPECT_EQ(info->name, "a) R 1 (x)");
  EXPECT_EQ(info->state, 'S');
  EXPECT_EQ(info->parent, 7);
  EXPECT_EQ(info->group, 8);
  EXPECT_EQ(info->session, 9);
  EXPECT_EQ(info->start_time, 123456U);
}

TEST(ProcessStat, TextThatIsNoneIsRefused) {
  for (const auto* text : {"", "42", "42 (a", "42 (a) S 1 2", "x (a) S 1 2 3 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 1 9"}) {
    EXPECT_FALSE(parse_process_stat(text)) << text;
  }
}

TEST(ProcessStat, OursIsReadFromProc) {
  const auto info = read_process(::getpid());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->pid, ::getpid());
  EXPECT_EQ(info->parent, ::getppid());
  EXPECT_EQ(info->session, ::getsid(0));
  EXPECT_TRUE(info->alive());
}

TEST(ProcessStat, TheListHoldsUs) {
  const auto all = list_processes();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& each) { return each.pid == ::getpid(); }));
}

TEST(Descendants, ChildrenAndGrandchildrenOfTheCommand) {
  EXPECT_EQ(descendants({process(200, kSelf, 200), process(201, 200, 200), process(202, 201, 202)}),
            (Pids{200, 201, 202}));
}

TEST(Descendants, AChildThatWasThereBeforeIsNot) {
  EXPECT_EQ(descendants({process(600, kSelf, 600), process(601, 600, 600)}), Pids{});
}

TEST(Descendants, AnOrphanInASessionOfItsOwnIsOneOfThem) {
  EXPECT_EQ(descendants({process(300, kSelf, 300), process(301, 300, 300)}), (Pids{300, 301}));
}

TEST(Descendants, WhatAnotherPartOfOurProgramStartedIsNot) {
  EXPECT_EQ(descendants({process(400, kSelf, kOurSession), process(401, 400, kOurSession)}), Pids{});
}

TEST(Descendants, TheCommandCountsBeforeItHasItsOwnSession) {
  EXPECT_EQ(descendants({process(200, kSelf, kOurSession)}), Pids{200});
}

TEST(Descendants, StrangersAndWeOurselvesAreNot) {
  EXPECT_EQ(descendants({process(1, 0, 1), process(kSelf, 1, kOurSession), process(500, 1, 500)}), Pids{});
}

TEST(Descendants, ALoopInATornListingEnds) {
  EXPECT_EQ(descendants({process(200, kSelf, 200), process(201, 202, 200), process(202, 201, 200)}), Pids{200});
}

TEST(ListChildren, HoldsTheLivingAndTheZombiesButNoGrandchildren) {
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t parent = ::getpid();
    if (::fork() == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(0);
    }
    for (;;) ::pause();
  }
  EXPECT_THAT(list_children(), ::testing::ElementsAre(child));
  ::kill(child, SIGKILL);
  siginfo_t news{};
  ::waitid(P_PID, static_cast<id_t>(child), &news, WEXITED | WNOWAIT);
  EXPECT_THAT(list_children(), ::testing::ElementsAre(child));
  ::waitpid(child, nullptr, 0);
  EXPECT_THAT(list_children(), ::testing::IsEmpty());
}

TEST(ListChildren, AThreadSeesItsOwnAndThoseOfTheFirstThread) {
  const auto start = [] {
    const pid_t pid = ::fork();
    if (pid == 0) {
      for (;;) ::pause();
    }
    return pid;
  };
  const pid_t first = start();
  std::thread([&] {
    const pid_t second = start();
    EXPECT_THAT(list_children(), ::testing::UnorderedElementsAre(first, second));
    ::kill(second, SIGKILL);
    ::waitpid(second, nullptr, 0);
  }).join();
  ::kill(first, SIGKILL);
  ::waitpid(first, nullptr, 0);
}

TEST(SignalProcess, AReusedPidIsNotHit) {
  auto other = *read_process(::getpid());
  ++other.start_time;
  EXPECT_FALSE(signal_process(other, 0));
  --other.start_time;
  EXPECT_TRUE(signal_process(other, 0));
}

}  // namespace
}  // namespace flakestat::sys
