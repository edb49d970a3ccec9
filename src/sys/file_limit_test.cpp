#include "sys/file_limit.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "sys/fd.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

class FileLimitTest : public ::testing::Test {
 protected:
  FileLimitTest() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{10, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FileLimitTest() override { ::setrlimit(RLIMIT_FSIZE, &before_); }

  testing::TempDir temp_;
  rlimit before_{};
};

TEST_F(FileLimitTest, WritingBeyondTheLimitIsAnErrorNotASignal) {
  const Fd fd(::open(temp_.file("f").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  {
    const FileLimitGuard guard;
    EXPECT_EQ(::write(fd.get(), "0123456789abc", 13), 10);
    EXPECT_EQ(::write(fd.get(), "abc", 3), -1);
    EXPECT_EQ(errno, EFBIG);
  }
  sigset_t pending;
  ASSERT_EQ(::sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
}

}  // namespace
}  // namespace flakestat::sys
