// Compactions that fail on the way: the log is what it was, nothing is left lying about, and the next one works.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>

#include "store/compaction_fixture.hpp"

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;

class CompactionFaultTest : public CompactionTest {
 protected:
  void SetUp() override {
    lines_ = lines_of(observations("t", 4));
    before_ = lines_ + lines_;
    write_log(before_);
  }

  Error failed_compaction() {
    auto result = try_compact();
    EXPECT_FALSE(result.ok());
    return result ? Error{} : result.error();
  }

  void expect_as_it_was() {
    EXPECT_EQ(log(), before_);
    EXPECT_FALSE(std::filesystem::exists(log_path(dir_) + ".new"));
  }

  void expect_the_next_one_works() {
    options_.calls = {};
    EXPECT_EQ(compact().duplicates, 4u);
    EXPECT_EQ(log(), lines_);
  }

  std::string lines_, before_;
};

TEST_F(CompactionFaultTest, ADiskThatIsFullAfterAnyNumberOfBytesLeavesTheOldLog) {
  for (std::size_t room = 0; room < lines_.size(); room += 11) {
    options_.calls.write = [left = room](int fd, const void* bytes, std::size_t size) mutable -> ssize_t {
      const auto taken = std::min(left, size);
      left -= taken;
      if (taken > 0) return ::write(fd, bytes, taken);
      errno = ENOSPC;
      return -1;
    };
    const auto error = failed_compaction();
    ASSERT_EQ(error.kind, ErrorKind::io);
    ASSERT_THAT(error.message, HasSubstr("make room"));
    expect_as_it_was();
  }
  expect_the_next_one_works();
}

TEST_F(CompactionFaultTest, ShortAndInterruptedWritesAreContinued) {
  options_.calls.write = [calls = 0](int fd, const void* bytes, std::size_t size) mutable -> ssize_t {
    if (++calls % 3 == 0) {
      errno = EINTR;
      return -1;
    }
    return ::write(fd, bytes, std::min<std::size_t>(size, 7));
  };
  compact();
  EXPECT_EQ(log(), lines_);
}

TEST_F(CompactionFaultTest, AFlushThatFailsLeavesTheOldLog) {
  options_.calls.sync = [](int) {
    errno = EIO;
    return -1;
  };
  EXPECT_THAT(failed_compaction().message, HasSubstr("flush"));
  expect_as_it_was();
  expect_the_next_one_works();
}

TEST_F(CompactionFaultTest, ARenameThatFailsLeavesTheOldLog) {
  options_.calls.rename = [](const char*, const char*) {
    errno = EACCES;
    return -1;
  };
  EXPECT_THAT(failed_compaction().message, HasSubstr("rename"));
  expect_as_it_was();
  expect_the_next_one_works();
}

TEST_F(CompactionFaultTest, NothingIsRenamedBeforeItIsFlushed) {
  std::string order;
  options_.calls.sync = [&](int) {
    order += 's';
    return 0;
  };
  options_.calls.rename = [&](const char* from, const char* to) {
    order += 'r';
    return ::rename(from, to);
  };
  compact();
  EXPECT_EQ(order, "sr");
}

TEST_F(CompactionFaultTest, WhatIsRejectedIsOnDiskBeforeTheLogLosesIt) {
  write_log(before_ + "garbage\n");
  options_.salvage = true;
  std::string at_rename;
  options_.calls.rename = [&](const char* from, const char* to) {
    at_rename = rejected();
    return ::rename(from, to);
  };
  compact();
  EXPECT_EQ(at_rename, "garbage\n");
}

TEST_F(CompactionFaultTest, WhenTheRejectedCannotBeSavedTheLogKeepsThem) {
  before_ += "garbage\n";
  write_log(before_);
  options_.salvage = true;
  (void)temp_.write("state/runs.rejected.ndjson/in-the-way", "");
  EXPECT_THAT(failed_compaction().message, HasSubstr("runs.rejected.ndjson"));
  expect_as_it_was();
}

TEST_F(CompactionFaultTest, AWriterThatIgnoresTheLockIsNoticedAndLosesNothing) {
  options_.calls.sync = [&](int fd) {
    write_log(before_ + lines_);
    return ::fdatasync(fd);
  };
  // The look comes before the flush, so the stranger must have written while the copy was made.
  options_.calls.write = [&](int fd, const void* bytes, std::size_t size) {
    write_log(before_ + lines_);
    return ::write(fd, bytes, size);
  };
  EXPECT_THAT(failed_compaction().message, HasSubstr("without taking the lock"));
  EXPECT_EQ(log(), before_ + lines_);
}

TEST_F(CompactionFaultTest, AFileSizeLimitIsAnErrorAndLeavesTheOldLog) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{lines_.size() - 10, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto error = failed_compaction();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_THAT(error.message, HasSubstr("File too large"));
  expect_as_it_was();
}

TEST_F(CompactionFaultTest, TheLockIsGoneAfterAFailure) {
  options_.calls.rename = [](const char*, const char*) {
    errno = EIO;
    return -1;
  };
  (void)failed_compaction();
  EXPECT_EQ(append({observation("after")}).stored, 1u);
}

TEST_F(CompactionFaultTest, ADeviceInPlaceOfTheLogIsRefused) {
  ASSERT_EQ(::unlink(log_path(dir_).c_str()), 0);
  ASSERT_EQ(::mkfifo(log_path(dir_).c_str(), 0644), 0);
  EXPECT_THAT(failed_compaction().message, HasSubstr("not a regular file"));
}

TEST_F(CompactionFaultTest, WhereFlockIsRefusedTheLockDirectoryIsUsedAndSaid) {
  options_.calls.flock = [](int, int) {
    errno = ENOLCK;
    return -1;
  };
  EXPECT_THAT(compact().notes, ::testing::ElementsAre(HasSubstr("is refused")));
  EXPECT_EQ(log(), lines_);
}

}  // namespace
}  // namespace flakestat::store
