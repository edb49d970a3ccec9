#include "sys/lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "sys/file.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::sys {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FileCalls refusing(int error_number) {
  FileCalls calls;
  calls.flock = [error_number](int, int) {
    errno = error_number;
    return -1;
  };
  return calls;
}

// Many threads take the lock in turn and count up without any other protection.
template <class Acquire>
int count_under_lock(Acquire acquire) {
  constexpr int kThreads = 6, kRounds = 15;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        auto lock = acquire();
        if (!lock) return;
        const int seen = count;
        std::this_thread::yield();
        count = seen + 1;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return count - kThreads * kRounds;
}

class LockTest : public ::testing::Test {
 protected:
  testing::TempDir temp_;
  std::string path_ = temp_.file("lock");
};

TEST_F(LockTest, OnlyOneHoldsIt) {
  EXPECT_EQ(count_under_lock([&] { return Lock::exclusive(path_); }), 0);
}

TEST_F(LockTest, TheFileStaysAndIsNotReplaced) {
  struct stat first {
  }, second{};
  { ASSERT_TRUE(Lock::exclusive(path_)); }
  ASSERT_EQ(::stat(path_.c_str(), &first), 0);
  { ASSERT_TRUE(Lock::exclusive(path_)); }
  ASSERT_EQ(::stat(path_.c_str(), &second), 0);
  EXPECT_EQ(first.st_ino, second.st_ino);
}

TEST_F(LockTest, ItIsNotInheritedByCommands) {
  const auto lock = Lock::exclusive(path_);
  ASSERT_TRUE(lock);
  bool found = false;
  for (int fd = 3; fd < 200; ++fd) {
    struct stat held {
    }, file{};
    if (::fstat(fd, &held) != 0 || ::stat(path_.c_str(), &file) != 0 || held.st_ino != file.st_ino ||
        held.st_dev != file.st_dev)
      continue;
    found = true;
    EXPECT_NE(::fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_TRUE(found);
}

TEST_F(LockTest, ALockFileThatWasReplacedWhileWeLockedItIsLockedAnew) {
  FileCalls calls;
  bool replaced = false;
  calls.flock = [&](int fd, int operation) {
    if (!std::exchange(replaced, true)) {
      ::unlink(path_.c_str());
      (void)temp_.write("lock", "");
    }
    return ::flock(fd, operation);
  };
  const auto lock = Lock::exclusive(path_, calls);
  ASSERT_TRUE(lock);
  EXPECT_FALSE(Lock::try_shared(path_, std::chrono::milliseconds(0)));
}

TEST_F(LockTest, ASharedLockIsOnlyHadBetweenWriters) {
  EXPECT_FALSE(Lock::try_shared(path_, std::chrono::milliseconds(0))) << "no lock file: nothing to wait for";
  {
    const auto lock = Lock::exclusive(path_);
    EXPECT_FALSE(Lock::try_shared(path_, std::chrono::milliseconds(0)));
  }
  const auto one = Lock::try_shared(path_, std::chrono::milliseconds(0));
  EXPECT_TRUE(one);
  EXPECT_TRUE(Lock::try_shared(path_, std::chrono::milliseconds(0)));
}

TEST_F(LockTest, WhereFlockIsRefusedALockDirectoryServesAndItIsSaid) {
  for (const int refusal : {ENOLCK, EOPNOTSUPP}) {
    const auto lock = Lock::exclusive(path_, refusing(refusal));
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_THAT(lock->notes(), ElementsAre(HasSubstr("used the lock directory " + path_ + ".d")));
    EXPECT_EQ(testing::slurp(path_ + ".d/owner"), lock_owner_text());
  }
  EXPECT_EQ(count_under_lock([&] { return Lock::exclusive(path_, refusing(ENOLCK)); }), 0);
  EXPECT_NE(::access((path_ + ".d").c_str(), F_OK), 0) << "released";
}

TEST_F(LockTest, OtherRefusalsAreErrorsThatNameTheFile) {
  const auto lock = Lock::exclusive(path_, refusing(EIO));
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, ErrorKind::io);
  EXPECT_THAT(lock.error().message, HasSubstr(path_));
}

class LockDirectoryTest : public ::testing::Test {
 protected:
  testing::TempDir temp_;
  std::string path_ = temp_.file("lock.d");
  LockDirectoryOptions impatient_{std::chrono::hours(1), std::chrono::milliseconds(0), std::chrono::milliseconds(1)};

  void held_by(const std::string& owner) const { (void)temp_.write("lock.d/owner", owner); }
  static std::string replaced(std::string text, const std::string& key, const std::string& value) {
    const auto begin = text.find(key + "=") + key.size() + 1;
    return text.replace(begin, text.find('\n', begin) - begin, value);
  }
  bool is_clean() const {
    for (const auto& entry : std::filesystem::directory_iterator(temp_.path())) {
      ADD_FAILURE() << "left behind: " << entry.path();
      return false;
    }
    return true;
  }
};

TEST_F(LockDirectoryTest, AnOwnerThatRunsIsNotStale) {
  held_by(lock_owner_text());
  const auto lock = LockDirectory::acquire(path_, impatient_);
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, ErrorKind::io);
  EXPECT_THAT(lock.error().message, HasSubstr("pid=" + std::to_string(::getpid())));
}

TEST_F(LockDirectoryTest, ADeadOwnerIsBrokenAtOnceAndNamed) {
  held_by(replaced(lock_owner_text(), "pid", "2147483646"));
  {
    const auto lock = LockDirectory::acquire(path_, impatient_);
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_THAT(lock->note(), HasSubstr("pid=2147483646"));
  }
  EXPECT_TRUE(is_clean());
}

TEST_F(LockDirectoryTest, AnotherProcessWithTheDeadOwnersPidIsNotTheOwner) {
  held_by(replaced(lock_owner_text(), "start", "1"));
  EXPECT_TRUE(LockDirectory::acquire(path_, impatient_));
}

TEST_F(LockDirectoryTest, AnOwnerOnAnotherHostIsStaleOnlyByAge) {
  const auto elsewhere = replaced(replaced(lock_owner_text(), "host", "elsewhere"), "pid", "2147483646");
  held_by(elsewhere);
  EXPECT_FALSE(LockDirectory::acquire(path_, impatient_));
  const timespec old[2]{{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), old, 0), 0);
  {
    const auto lock = LockDirectory::acquire(path_, impatient_);
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_THAT(lock->note(), HasSubstr("host=elsewhere"));
  }
  EXPECT_TRUE(is_clean());
}

TEST_F(LockDirectoryTest, AStaleLockThatAnotherIsBreakingIsLeftToIt) {
  held_by(replaced(lock_owner_text(), "pid", "2147483646"));
  ASSERT_TRUE(make_directories(path_ + "/breaking"));
  EXPECT_FALSE(LockDirectory::acquire(path_, impatient_));
}

TEST_F(LockDirectoryTest, ALockThatWasBrokenFromOutsideIsNotTakenFromItsNewOwner) {
  const auto other = replaced(lock_owner_text(), "host", "elsewhere");
  {
    const auto lock = LockDirectory::acquire(path_, impatient_);
    ASSERT_TRUE(lock);
    held_by(other);
  }
  EXPECT_EQ(testing::slurp(path_ + "/owner"), other);
}

TEST_F(LockDirectoryTest, WhereNoDirectoryCanBeMadeItIsAnErrorThatNamesIt) {
  const auto lock = LockDirectory::acquire(temp_.file("missing/lock.d"), impatient_);
  ASSERT_FALSE(lock);
  EXPECT_THAT(lock.error().message, HasSubstr("missing/lock.d"));
}

}  // namespace
}  // namespace flakestat::sys
