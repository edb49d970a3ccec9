// A compaction that is killed, or that others append beside: nothing that was in the log is lost, nothing is invented.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "store/compaction_fixture.hpp"
#include "store/writer_process.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"

namespace flakestat::store {
namespace {

class CompactionDurabilityTest : public CompactionTest {
 protected:
  // A log of `count` executions, each there twice, and what must be left of it.
  void merged_log(int count, std::size_t padding) {
    auto batch = observations("t", count);
    for (auto& one : batch) one.message = std::string(padding, 'm');
    after_ = lines_of(batch);
    before_ = after_ + after_;
    write_log(before_);
  }

  // As somebody's `cat >>` would do it, but under the lock.
  void append_raw(const std::string& lines) {
    auto lock = sys::Lock::exclusive(lock_path(dir_));
    ASSERT_TRUE(lock);
    const sys::Fd fd(::open(log_path(dir_).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
    ASSERT_TRUE(sys::write_all(fd.get(), lines, "log"));
  }

  std::string before_, after_;
};

TEST_F(CompactionDurabilityTest, KilledInsideEveryCallTheOldLogOrTheNewOneIsThere) {
  merged_log(900, 1500);
  const std::vector<std::string> calls = {"flock:1", "write:1", "write:2", "sync:1", "rename:1", "renamed:1"};
  for (const auto& call : calls) {
    write_log(before_);
    WriterProcess compactor({dir_, "1", "die=" + call}, "log_compactor");
    ASSERT_EQ(compactor.wait(), 128 + SIGKILL) << call;
    ASSERT_EQ(log() == after_, call == "renamed:1") << call;
    ASSERT_TRUE(log() == after_ || log() == before_) << call;
    ASSERT_EQ(append({observation("next")}).stored, 1u) << "its lock is gone";
  }
  write_log(before_);
  WriterProcess again({dir_, "1"}, "log_compactor");
  EXPECT_EQ(again.read_line(), "done 900");
  EXPECT_EQ(again.wait(), 0);
  EXPECT_EQ(log(), after_);
}

TEST_F(CompactionDurabilityTest, KilledWhileSalvagingNoByteIsLost) {
  merged_log(900, 1500);
  const std::string damage = "garbage that somebody may still want\n";
  for (const auto* call : {"write:1", "sync:1", "write:2", "sync:2", "rename:1", "renamed:1"}) {
    write_log(before_ + damage);
    ::unlink(rejected_path(dir_).c_str());
    WriterProcess compactor({dir_, "1", "salvage", std::string("die=") + call}, "log_compactor");
    ASSERT_EQ(compactor.wait(), 128 + SIGKILL) << call;
    if (log() == before_ + damage) continue;
    ASSERT_EQ(log(), after_) << call;
    ASSERT_EQ(rejected(), damage) << call;
  }
}

TEST_F(CompactionDurabilityTest, KilledAtRandomTimesTheOldLogOrTheNewOneIsThere) {
  const int kills = soak_or(500, 15);
  merged_log(soak_or(4000, 1500), 500);
  std::mt19937 random(7);
  int renamed = 0;
  for (int i = 0; i < kills; ++i) {
    write_log(before_);
    WriterProcess compactor({dir_, "1"}, "log_compactor");
    (void)compactor.read_line(std::chrono::microseconds(random() % 40'000));
    compactor.kill();
    const auto found = log();
    ASSERT_TRUE(found == before_ || found == after_) << found.size();
    renamed += found == after_ ? 1 : 0;
  }
  std::printf("%d kills, %d after the rename\n", kills, renamed);
}

TEST_F(CompactionDurabilityTest, WhatOthersAppendMeanwhileIsThereOnce) {
  constexpr int kWriters = 6, kLines = 40;
  const int batches = soak_or(200, 12);
  const auto twice = lines_of({observation("merged")});
  write_log(twice);
  WriterProcess compactor({dir_, "0"}, "log_compactor");
  std::vector<std::unique_ptr<WriterProcess>> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.push_back(std::make_unique<WriterProcess>(std::vector<std::string>{
        dir_, "w" + std::to_string(w), std::to_string(batches), std::to_string(kLines), "200"}));
  }
  // Something to drop, again and again, or no log would ever be replaced.
  int rewrites = 0;
  for (int i = 0; i < soak_or(400, 30); ++i) {
    append_raw(twice);
    while (const auto line = compactor.read_line(std::chrono::milliseconds(2))) rewrites += *line == "done 0" ? 0 : 1;
  }
  for (auto& writer : writers) ASSERT_EQ(writer->wait(), 0);
  // However slow the machine is, one more.
  append_raw(twice);
  for (auto line = compactor.read_line(); line && rewrites == 0; line = compactor.read_line())
    rewrites += *line == "done 0" ? 0 : 1;
  compactor.kill();
  compact();
  std::map<std::string, int> found;
  for (const auto& name : names()) ++found[name];
  EXPECT_EQ(stats_.skipped_count, 0u);
  EXPECT_FALSE(stats_.torn_tail);
  EXPECT_EQ(found.size(), static_cast<std::size_t>(1 + kWriters * batches * kLines));
  for (const auto& [name, count] : found) ASSERT_EQ(count, 1) << name;
  EXPECT_GT(rewrites, 0) << "the log must have been replaced for this to prove anything";
  std::printf("%d appended batches beside %d replaced logs\n", kWriters * batches, rewrites);
}

}  // namespace
}  // namespace flakestat::store
