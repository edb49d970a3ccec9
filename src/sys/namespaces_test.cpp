#include "sys/namespaces.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace flakestat::sys {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

// Exit code of what runs in a process of its own.
template <class Body>
int in_a_process(const Body& body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int closes_ours_alone(bool crowded) {
  const int kept = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int ours = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int inherited = ::open("/dev/null", O_RDONLY);
  const rlimit few{static_cast<rlim_t>(inherited) + 1, static_cast<rlim_t>(inherited) + 1};
  if (crowded && ::setrlimit(RLIMIT_NOFILE, &few) != 0) return 9;
  while (crowded && ::dup(kept) >= 0) {
  }
  close_private_descriptors_but(kept);
  return (is_open(kept) ? 0 : 1) + (is_open(ours) ? 2 : 0) + (is_open(inherited) ? 0 : 4);
}

TEST(PrivateDescriptors, AreClosedAndOthersStay) {
  EXPECT_EQ(in_a_process([] { return closes_ours_alone(false); }), 0);
}

TEST(PrivateDescriptors, AreClosedWithoutADescriptorLeftToListThem) {
  EXPECT_EQ(in_a_process([] { return closes_ours_alone(true); }), 0);
}

}  // namespace
}  // namespace flakestat::sys
