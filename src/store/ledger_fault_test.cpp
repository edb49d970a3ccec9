// Writes of the ledger that fail on the way: nothing that was known is lost, nothing counts twice, the next one works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "store/ledger_fixture.hpp"

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;

class LedgerFaultTest : public LedgerTest {
 protected:
  void SetUp() override {
    record("run-1", {flaky("a"), failed("b")});
    before_ = ledger_text();
  }

  Error failing_record() {
    auto done = record_run(dir_, "run-2", std::vector<LedgerEvent>{flaky("a")}, options());
    EXPECT_FALSE(done.ok());
    return done ? Error{} : done.error();
  }

  void expect_nothing_half_done() {
    const auto text = ledger_text();
    EXPECT_EQ(text, before_);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_))
      EXPECT_FALSE(entry.path().string().ends_with(".new")) << entry.path();
    EXPECT_TRUE(read().notes().empty());
  }

  void expect_the_next_one_works() {
    options_.calls = {};
    record("run-2", {flaky("a")});
    EXPECT_EQ(read().counts("a"), (LedgerCounts{2, 0}));
    EXPECT_EQ(read().counts("b"), (LedgerCounts{0, 1}));
    EXPECT_THAT(ledger_text(), HasSubstr("\"flaky\":2"));
  }

  std::string before_;
};

TEST_F(LedgerFaultTest, ADiskThatIsFullAfterAnyNumberOfBytes) {
  // The hooks are copied, so what they count is shared. Together less than the run's file and the new ledger, so that
  // each round fails in one of the two.
  for (std::size_t room = 0; room < 270; room += 9) {
    options_.calls.write = [left = std::make_shared<std::size_t>(room)](int fd, const void* bytes,
                                                                        std::size_t size) -> ssize_t {
      const auto taken = std::min(*left, size);
      *left -= taken;
      if (taken > 0) return ::write(fd, bytes, taken);
      errno = ENOSPC;
      return -1;
    };
    const auto error = failing_record();
    ASSERT_EQ(error.kind, ErrorKind::io) << room;
    ASSERT_THAT(error.message, HasSubstr("make room"));
    expect_nothing_half_done();
    std::filesystem::remove(ledger_folder(dir_) + "/run-2.json");
  }
  expect_the_next_one_works();
}

TEST_F(LedgerFaultTest, AFlushThatFails) {
  for (int at = 1; at <= 2; ++at) {
    options_.calls.sync = [left = std::make_shared<int>(at)](int fd) {
      if (--*left > 0) return ::fdatasync(fd);
      errno = EIO;
      return -1;
    };
    EXPECT_THAT(failing_record().message, HasSubstr("flush"));
    expect_nothing_half_done();
    std::filesystem::remove(ledger_folder(dir_) + "/run-2.json");
  }
  expect_the_next_one_works();
}

TEST_F(LedgerFaultTest, ARenameThatFailsAfterTheRunWasWrittenLosesItNot) {
  options_.calls.rename = [left = std::make_shared<int>(2)](const char* from, const char* to) {
    if (--*left > 0) return ::rename(from, to);
    errno = EIO;
    return -1;
  };
  EXPECT_THAT(failing_record().message, HasSubstr("rename"));
  expect_nothing_half_done();
  EXPECT_EQ(read().counts("a"), (LedgerCounts{2, 0})) << "its own file has it";
  expect_the_next_one_works();
}

TEST_F(LedgerFaultTest, NothingIsRenamedBeforeItIsFlushedAndTheRunComesFirst) {
  std::string order;
  options_.calls.sync = [&](int fd) {
    order += 's';
    return ::fdatasync(fd);
  };
  options_.calls.rename = [&](const char* from, const char* to) {
    order += std::string(to).ends_with("flakes.json") ? 'L' : 'r';
    return ::rename(from, to);
  };
  record("run-2", {flaky("a")});
  EXPECT_EQ(order, "srsL");
}

TEST_F(LedgerFaultTest, WhereFlockIsRefusedALockDirectoryTakesItsPlaceAndItIsSaid) {
  options_.calls.flock = [](int, int) {
    errno = ENOLCK;
    return -1;
  };
  EXPECT_FALSE(record("run-2", {flaky("a")}).notes.empty());
  EXPECT_EQ(read().counts("a"), (LedgerCounts{2, 0}));
}

TEST_F(LedgerFaultTest, WhatAKilledWriterLeftAsideIsNoRunAndInNobodysWay) {
  testing_write(ledger_path(dir_) + ".new", "half");
  testing_write(ledger_folder(dir_) + "/run-2.json.new", "half");
  record("run-2", {flaky("a")});
  EXPECT_EQ(read().counts("a"), (LedgerCounts{2, 0}));
  EXPECT_TRUE(read().notes().empty());
}

}  // namespace
}  // namespace flakestat::store
