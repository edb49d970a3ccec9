#include "sys/standard_streams.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace flakestat::sys {
namespace {

// In a process of its own: the streams of this one are in use. The exit code tells what was not as it should be.
int in_a_child_without_streams() {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int stream = 0; stream <= 2; ++stream) ::close(stream);
    occupy_standard_streams();
    char byte = 0;
    if (::open("/dev/null", O_RDWR) <= 2) ::_exit(1);
    if (::write(1, &byte, 1) != -1 || ::write(2, &byte, 1) != -1) ::_exit(2);
    if (::read(0, &byte, 1) != -1) ::_exit(3);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StandardStreams, WhatIsClosedIsTakenByNoOtherFileAndStaysUnusable) { EXPECT_EQ(in_a_child_without_streams(), 0); }

TEST(StandardStreams, WhatIsOpenStaysAsItIs) {
  const int before = ::fcntl(STDOUT_FILENO, F_GETFL);
  occupy_standard_streams();
  EXPECT_EQ(::fcntl(STDOUT_FILENO, F_GETFL), before);
}

}  // namespace
}  // namespace flakestat::sys
