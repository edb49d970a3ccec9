#include "sys/namespaces.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "sys/fd.hpp"

namespace flakestat::sys {
namespace {

// True when `check` is true in a process with these namespaces.
template <class Check>
bool holds_in(NamespaceFlags namespaces, const Check& check) {
  const pid_t pid = fork_into(namespaces);
  if (pid == 0) ::_exit(check() ? 0 : 1);
  int status = -1;
  while (pid > 0 && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Namespaces, AForkWithoutAnyIsAFork) {
  const pid_t parent = ::getpid();
  EXPECT_TRUE(holds_in(0, [&] { return ::getppid() == parent; }));
  EXPECT_TRUE(can_fork_into(0));
}

TEST(Namespaces, FlagsThatExcludeEachOtherAreNotPossible) {
  EXPECT_FALSE(can_fork_into(CLONE_NEWNS | CLONE_FS));
  EXPECT_EQ(errno, EINVAL);
}

TEST(Namespaces, OurNumbersAreKeptInAUserNamespaceThatKnowsNoOthers) {
  if (!can_fork_into(CLONE_NEWUSER)) GTEST_SKIP() << "user namespaces are not permitted here";
  const auto user = ::geteuid();
  const auto group = ::getegid();
  EXPECT_TRUE(holds_in(CLONE_NEWUSER, [&] {
    return map_own_ids(user, group).ok() && ::geteuid() == user && ::getegid() == group && !can_give_files_away();
  }));
}

TEST(Namespaces, TheLoopbackOfANewNetworkAnswersOnceRaised) {
  const NamespaceFlags flags = can_fork_into(CLONE_NEWNET) ? CLONE_NEWNET : CLONE_NEWNET | CLONE_NEWUSER;
  if (!can_fork_into(flags)) GTEST_SKIP() << "network namespaces are not permitted here";
  EXPECT_TRUE(holds_in(flags, [] { return raise_loopback().ok(); }));
}

TEST(Namespaces, DescriptorsThatAnExecWouldCloseAreClosedAndOthersStay) {
  const Fd ours(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd kept(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd inherited(::open("/dev/null", O_RDONLY));
  const auto is_open = [](const Fd& fd) { return ::fcntl(fd.get(), F_GETFD) >= 0; };
  EXPECT_TRUE(holds_in(0, [&] {
    close_private_descriptors_but(kept.get());
    return !is_open(ours) && is_open(kept) && is_open(inherited);
  }));
  EXPECT_TRUE(is_open(ours));
}

}  // namespace
}  // namespace flakestat::sys
