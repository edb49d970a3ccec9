// Appends that fail on the way: after each the log is what it was, and the next append works.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "store/log_fixture.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AppendFaultTest : public LogTest {
 protected:
  AppendOptions options_;

  Error failed_append(const std::vector<Observation>& batch) {
    auto result = store::append(dir_, batch, options_);
    EXPECT_FALSE(result.ok());
    return result ? Error{} : result.error();
  }
};

// The disk takes `room` bytes and then no more.
auto full_after(std::size_t room) {
  return [left = room](int fd, const void* bytes, std::size_t size) mutable -> ssize_t {
    const auto taken = std::min(left, size);
    left -= taken;
    if (taken > 0) return ::write(fd, bytes, taken);
    errno = ENOSPC;
    return -1;
  };
}

TEST_F(AppendFaultTest, ADiskThatIsFullAfterAnyNumberOfBytesLeavesTheLogAsItWas) {
  append({observation("a")});
  const auto before = log();
  const auto batch = observations("b", 3);
  for (std::size_t room = 0; room < 3 * before.size(); room += 13) {
    options_.calls.write = full_after(room);
    const auto error = failed_append(batch);
    ASSERT_EQ(error.kind, ErrorKind::io);
    ASSERT_THAT(error.message, HasSubstr("make room"));
    ASSERT_THAT(error.message, HasSubstr(log_path(dir_)));
    ASSERT_EQ(log(), before) << room;
  }
  EXPECT_EQ(append(batch).stored, 3u);
}

TEST_F(AppendFaultTest, AHealedTailIsTornAgainWhenTheAppendFails) {
  append({observation("a"), observation("b")});
  const auto torn = log().substr(0, log().size() - 20);
  write_log(torn);
  options_.calls.write = full_after(100);
  (void)failed_append(observations("c", 2));
  EXPECT_EQ(log(), torn);
}

TEST_F(AppendFaultTest, ShortAndInterruptedWritesAreContinued) {
  options_.calls.write = [calls = 0](int fd, const void* bytes, std::size_t size) mutable -> ssize_t {
    if (++calls % 3 == 0) {
      errno = EINTR;
      return -1;
    }
    return ::write(fd, bytes, std::min<std::size_t>(size, 7));
  };
  ASSERT_TRUE(store::append(dir_, observations("a", 5), options_));
  EXPECT_EQ(names().size(), 5u);
  EXPECT_EQ(stats_.skipped_count, 0u);
}

TEST_F(AppendFaultTest, AFlushThatFailsIsNoSuccess) {
  append({observation("a")});
  options_.calls.sync = [](int) {
    errno = EIO;
    return -1;
  };
  EXPECT_THAT(failed_append({observation("b")}).message, HasSubstr("flush " + log_path(dir_)));
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(AppendFaultTest, WhatIsFlushedLaterIsReadableAtOnceAndFlushedOnDemand) {
  int flushes = 0;
  options_.calls.sync = [&](int) {
    ++flushes;
    return 0;
  };
  options_.flush_later = true;
  ASSERT_TRUE(store::append(dir_, std::vector{observation("a")}, options_));
  ASSERT_TRUE(store::append(dir_, std::vector{observation("b")}, options_));
  EXPECT_EQ(flushes, 0);
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  ASSERT_TRUE(store::flush(dir_, options_).ok());
  EXPECT_EQ(flushes, 1);
}

TEST_F(AppendFaultTest, ALateFlushThatFailsIsNamed) {
  append({observation("a")});
  options_.calls.sync = [](int) {
    errno = EIO;
    return -1;
  };
  const auto flushed = store::flush(dir_, options_);
  ASSERT_FALSE(flushed.ok());
  EXPECT_EQ(flushed.error().kind, ErrorKind::io);
  EXPECT_THAT(flushed.error().message, HasSubstr("flush " + log_path(dir_)));
}

TEST_F(AppendFaultTest, TheLogIsNotSearchedForKeysThatAreNew) {
  append({observation("a")});
  options_.keys_are_new = true;
  const auto again = store::append(dir_, std::vector{observation("a"), observation("a")}, options_);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->stored, 1u) << "but the batch is";
  EXPECT_EQ(again->duplicates, 1u);
}

TEST_F(AppendFaultTest, DuplicatesAreOnlySuccessOnceTheyAreOnDisk) {
  append({observation("a")});
  int flushes = 0;
  options_.calls.sync = [&](int) {
    ++flushes;
    return 0;
  };
  ASSERT_TRUE(store::append(dir_, std::vector{observation("a")}, options_));
  EXPECT_EQ(flushes, 1);
}

TEST_F(AppendFaultTest, WhenEvenCuttingBackFailsTheErrorSaysSoAndNothingEarlierIsLost) {
  append({observation("a")});
  options_.calls.write = full_after(500);
  options_.calls.truncate = [](int, off_t) {
    errno = EIO;
    return -1;
  };
  EXPECT_THAT(failed_append(observations("b", 5)).message, HasSubstr("may remain"));
  options_ = {};
  EXPECT_EQ(append(observations("b", 5)).duplicates, 1u) << "what remained whole is known";
  auto found = names();
  std::sort(found.begin(), found.end());
  EXPECT_THAT(found, ElementsAre("a", "b0", "b1", "b2", "b3", "b4"));
}

TEST_F(AppendFaultTest, AFileSizeLimitIsAnErrorAndCutBack) {
  append({observation("a")});
  const auto before = log();
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{before.size() + 100, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto error = failed_append(observations("b", 5));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_THAT(error.message, HasSubstr("File too large"));
  EXPECT_EQ(log(), before);
}

TEST_F(AppendFaultTest, WhereFlockIsRefusedTheLockDirectoryIsUsedAndSaid) {
  options_.calls.flock = [](int, int) {
    errno = ENOLCK;
    return -1;
  };
  const auto result = store::append(dir_, observations("a", 2), options_);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->notes, ElementsAre(HasSubstr("flock on " + lock_path(dir_) + " is refused")));
  EXPECT_EQ(names().size(), 2u);
}

TEST_F(AppendFaultTest, TheLockIsGoneAfterAFailure) {
  options_.calls.write = full_after(0);
  (void)failed_append({observation("a")});
  EXPECT_EQ(append({observation("a")}).stored, 1u);
}

TEST_F(AppendFaultTest, AFolderWhereTheLogShouldBeIsNamed) {
  (void)temp_.write("state/runs.ndjson/x", "");
  const auto error = failed_append({observation("a")});
  EXPECT_EQ(error.kind, ErrorKind::io);
  EXPECT_THAT(error.message, HasSubstr(log_path(dir_)));
}

TEST_F(AppendFaultTest, ADeviceInPlaceOfTheLogIsRefused) {
  ASSERT_EQ(::mkdir(dir_.c_str(), 0755), 0);
  ASSERT_EQ(::mkfifo(log_path(dir_).c_str(), 0644), 0);
  EXPECT_THAT(failed_append({observation("a")}).message, HasSubstr("not a regular file"));
}

TEST_F(AppendFaultTest, AFileInPlaceOfTheStateFolderIsNamed) {
  (void)temp_.write("state", "");
  EXPECT_THAT(failed_append({observation("a")}).message, HasSubstr(dir_));
}

TEST_F(AppendFaultTest, ARecordLongerThanALineMayBeStoresNothingOfItsBatch) {
  auto huge = observation("h");
  huge.name = std::string(kMaxLine, 'h');
  const auto error = failed_append({observation("a"), huge});
  EXPECT_EQ(error.kind, ErrorKind::damaged);
  EXPECT_LT(error.message.size(), 1000u);
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace flakestat::store
