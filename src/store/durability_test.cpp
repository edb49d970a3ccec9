// What design 4 promises of the log, proved with real processes: nothing acknowledged is lost, nothing is invented.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "store/log_fixture.hpp"
#include "store/writer_process.hpp"
#include "sys/capture.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;

class DurabilityTest : public LogTest {
 protected:
  static std::string batch_name(const std::string& prefix, int batch, int line) {
    return prefix + "-" + std::to_string(batch) + "-" + std::to_string(line);
  }

  /// Every name of the log with how often it stands there.
  std::map<std::string, int> counts() {
    std::map<std::string, int> found;
    for (const auto& name : names()) ++found[name];
    return found;
  }

  // Whether all `lines` records of a batch are there, once each.
  static bool has_batch(const std::map<std::string, int>& found, const std::string& prefix, int batch, int lines) {
    for (int i = 0; i < lines; ++i) {
      const auto at = found.find(batch_name(prefix, batch, i));
      if (at == found.end() || at->second != 1) return false;
    }
    return true;
  }

  // Every name must be of a batch that some writer was asked for.
  void expect_nothing_invented(const std::map<std::string, int>& found, const std::string& kind, int writers,
                               int batches, int lines) {
    std::set<std::string> asked;
    for (int w = 0; w < writers; ++w) {
      for (int b = 0; b < batches; ++b) {
        for (int i = 0; i < lines; ++i) asked.insert(batch_name(kind + std::to_string(w), b, i));
      }
    }
    for (const auto& [name, count] : found) {
      ASSERT_TRUE(asked.contains(name)) << name;
      ASSERT_EQ(count, 1) << name;
    }
  }

  // Processes that wait for a lock on this file, as the kernel tells.
  static int waiters(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return 0;
    std::array<char, 64> id{};
    std::snprintf(id.data(), id.size(), "%02x:%02x:%lu ", major(info.st_dev), minor(info.st_dev),
                  static_cast<unsigned long>(info.st_ino));
    std::ifstream locks("/proc/locks");
    int count = 0;
    for (std::string line; std::getline(locks, line);) {
      if (line.find("->") != std::string::npos && line.find(id.data()) != std::string::npos) ++count;
    }
    return count;
  }
};

TEST_F(DurabilityTest, KilledAtRandomTimesNothingAcknowledgedIsLostAndNothingInvented) {
  const int kills = soak_or(1000, 20);
  constexpr int kBatches = 50, kLines = 40;
  std::mt19937 random(3);
  std::vector<std::pair<int, int>> acknowledged;
  for (int k = 0; k < kills; ++k) {
    WriterProcess writer({dir_, "k" + std::to_string(k), std::to_string(kBatches), std::to_string(kLines), "3000"});
    const std::chrono::microseconds patience(random() % 30'000);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int acks = 0;
    while (auto line = writer.read_line(
               std::chrono::duration_cast<std::chrono::microseconds>(deadline - std::chrono::steady_clock::now())))
      ++acks;
    writer.kill();
    while (writer.read_line()) ++acks;  // what it had said before it died
    for (int b = 0; b < acks; ++b) acknowledged.emplace_back(k, b);
    // The history stays small: what has been proved of older writers needs no second proof.
    if (k % 20 != 19 && k + 1 != kills) continue;
    ASSERT_EQ(append({observation("k" + std::to_string(k) + "-healer")}).stored, 1u);
    auto found = counts();
    ASSERT_EQ(found.erase("k" + std::to_string(k) + "-healer"), 1u);
    ASSERT_FALSE(stats_.torn_tail);
    for (const auto& [w, b] : acknowledged)
      ASSERT_TRUE(has_batch(found, "k" + std::to_string(w), b, kLines)) << w << ' ' << b;
    expect_nothing_invented(found, "k", kills, kBatches, kLines);
    acknowledged.clear();
    ASSERT_EQ(::unlink(log_path(dir_).c_str()), 0);
  }
  std::printf("%d kills\n", kills);
}

TEST_F(DurabilityTest, KilledInsideEveryCallOfAnAppendTheEarlierBatchesStay) {
  const int rounds = soak_or(40, 3);
  constexpr int kLines = 900;
  int writer_count = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const auto* call : {"flock", "write", "sync"}) {
      const auto prefix = "d" + std::to_string(writer_count++);
      // The second batch dies: in the lock, with half of a write of more than 1 MiB done, or before the flush.
      WriterProcess writer({dir_, prefix, "3", std::to_string(kLines), "1500",
                            std::string("die=") + call + (call[0] == 'w' ? ":3" : ":2")});
      int acks = 0;
      while (writer.read_line()) ++acks;
      ASSERT_EQ(writer.wait(), 128 + SIGKILL);
      ASSERT_EQ(acks, 1);
      const auto found = counts();
      ASSERT_TRUE(has_batch(found, prefix, 0, kLines)) << call;
      expect_nothing_invented(found, "d", writer_count, 2, kLines);
    }
    // What the dead left is healed, and repeating adds only what is missing.
    const auto prefix = "d" + std::to_string(writer_count - 2);
    WriterProcess again({dir_, prefix, "2", std::to_string(kLines), "1500"});
    ASSERT_EQ(again.wait(), 0);
    const auto found = counts();
    ASSERT_TRUE(has_batch(found, prefix, 0, kLines));
    ASSERT_TRUE(has_batch(found, prefix, 1, kLines));
    ASSERT_FALSE(stats_.torn_tail);
    ASSERT_EQ(::unlink(log_path(dir_).c_str()), 0);
  }
  std::printf("%d kills\n", rounds * 3);
}

TEST_F(DurabilityTest, SixtyFourWritersAtOnceInterleaveWholeBatches) {
  constexpr int kWriters = 64, kLines = 300;
  const int batches = soak_or(5, 1);
  std::vector<std::unique_ptr<WriterProcess>> writers;
  for (int w = 0; w < kWriters; ++w) {
    // 300 lines of 3.8 kB: more than 1 MiB a batch.
    writers.push_back(std::make_unique<WriterProcess>(std::vector<std::string>{
        dir_, "w" + std::to_string(w), std::to_string(batches), std::to_string(kLines), "3700"}));
  }
  for (auto& writer : writers) ASSERT_EQ(writer->wait(), 0);
  const auto found = names();
  EXPECT_EQ(stats_.skipped_count, 0u);
  EXPECT_FALSE(stats_.torn_tail);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(kWriters * batches * kLines));
  std::set<std::string> starts;
  for (std::size_t i = 0; i < found.size(); i += kLines) {
    ASSERT_THAT(found[i], ::testing::EndsWith("-0"));
    const auto batch = found[i].substr(0, found[i].size() - 1);
    EXPECT_TRUE(starts.insert(batch).second);
    for (int line = 0; line < kLines; ++line)
      ASSERT_EQ(found[i + static_cast<std::size_t>(line)], batch + std::to_string(line));
  }
  std::printf("%d writers, %d batches of %.1f MiB each\n", kWriters, batches,
              static_cast<double>(stats_.bytes) / kWriters / batches / 1048576);
}

TEST_F(DurabilityTest, ALeakedChildWithTheWritersDescriptorsDoesNotKeepTheLock) {
  WriterProcess writer({dir_, "leaky", "1", "3", "0", "leak"});
  const auto leaked = writer.read_line();
  ASSERT_TRUE(leaked && leaked->starts_with("leaked "));
  const auto child = static_cast<pid_t>(std::stol(leaked->substr(7)));
  ASSERT_EQ(writer.read_line(), "ack 0");
  ASSERT_EQ(writer.wait(), 0);
  ASSERT_EQ(::kill(child, 0), 0) << "the child must live for this to prove anything";
  EXPECT_EQ(append({observation("after")}).stored, 1u);
  EXPECT_EQ(names().size(), 4u);
  ::kill(child, SIGKILL);
}

TEST_F(DurabilityTest, TwoLongRunningWritersOnOneHistoryAreBothKept) {
  WriterProcess slow({dir_, "slow", "3", "2", "0", "step"});
  slow.step();
  ASSERT_EQ(slow.read_line(), "ack 0");
  WriterProcess fast({dir_, "fast", "2", "2", "0"});
  ASSERT_EQ(fast.wait(), 0);
  slow.step();
  slow.step();
  ASSERT_EQ(slow.read_line(), "ack 1");
  ASSERT_EQ(slow.read_line(), "ack 2");
  ASSERT_EQ(slow.wait(), 0);
  const auto found = counts();
  for (int b = 0; b < 3; ++b) EXPECT_TRUE(has_batch(found, "slow", b, 2));
  for (int b = 0; b < 2; ++b) EXPECT_TRUE(has_batch(found, "fast", b, 2));
}

TEST_F(DurabilityTest, WritersThatWaitedWhileTheLogWasReplacedAppendToTheNewOne) {
  append({observation("old-a"), observation("old-b")});
  const int writers_wanted = soak_or(32, 6);
  std::vector<std::unique_ptr<WriterProcess>> writers;
  {
    auto lock = sys::Lock::exclusive(lock_path(dir_));
    ASSERT_TRUE(lock);
    for (int w = 0; w < writers_wanted; ++w) {
      writers.push_back(
          std::make_unique<WriterProcess>(std::vector<std::string>{dir_, "w" + std::to_string(w), "2", "3", "0"}));
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (waiters(lock_path(dir_)) < writers_wanted) {
      if (std::chrono::steady_clock::now() > deadline)
        GTEST_SKIP() << "skipped: /proc/locks does not show who waits here";
      ::sched_yield();
    }
    const auto whole = log();
    ASSERT_TRUE(sys::replace_file(log_path(dir_), whole.substr(0, whole.find('\n') + 1)));
  }
  for (auto& writer : writers) ASSERT_EQ(writer->wait(), 0);
  const auto found = counts();
  EXPECT_EQ(found.size(), static_cast<std::size_t>(1 + writers_wanted * 6));
  EXPECT_TRUE(found.contains("old-a"));
  for (int w = 0; w < writers_wanted; ++w) {
    for (int b = 0; b < 2; ++b) EXPECT_TRUE(has_batch(found, "w" + std::to_string(w), b, 3));
  }
}

// Cut at every byte, then appended to: what was whole stays, the new record is there, and the account balances.
TEST_F(DurabilityTest, CutAtEveryByteItStillTakesTheNextAppend) {
  append({observation("a"), observation("b")});
  const auto whole = log();
  const auto half = whole.size() / 2;
  const int stride = soak_or(1, 7);
  for (std::size_t size = 0; size <= whole.size(); size += static_cast<std::size_t>(stride)) {
    write_log(whole.substr(0, size));
    ASSERT_EQ(append({observation("new")}).stored, 1u);
    std::vector<std::string> expected;
    if (size + 1 >= half) expected.emplace_back("a");
    if (size + 1 >= whole.size()) expected.emplace_back("b");
    expected.emplace_back("new");
    ASSERT_EQ(names(), expected) << size;
    ASSERT_FALSE(stats_.torn_tail);
  }
}

class DiskTest : public DurabilityTest {
 protected:
  void run(const std::string& mode) {
    const auto disk = temp_.file("disk");
    ASSERT_TRUE(sys::make_directories(disk));
    auto result = sys::capture({std::string(FLAKESTAT_PROGRAMS_DIR) + "/log_disk", mode, disk});
    ASSERT_TRUE(result) << result.error().message;
    if (result->exit_code == 77) GTEST_SKIP() << result->output;
    EXPECT_EQ(result->exit_code, 0) << result->output;
  }
};

TEST_F(DiskTest, AnAppendThatFillsTheDiskIsCutBack) { run("full"); }
TEST_F(DiskTest, ACompactionThatFillsTheDiskLeavesTheOldLog) { run("compact"); }
TEST_F(DiskTest, AReadOnlyDiskIsAClearErrorAndStillRead) { run("readonly"); }

}  // namespace
}  // namespace flakestat::store
