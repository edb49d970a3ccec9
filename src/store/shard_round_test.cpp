#include "store/shard_round.hpp"

#include <gtest/gtest.h>

#include "sys/file.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::store {
namespace {

constexpr UnixMillis kNow = 1'790'000'000'000;
const ShardRoundKey kFirst{1, 2, "0123456789abcdef0123"};
const ShardRoundKey kSecond{2, 2, "0123456789abcdef0123"};

Durations seconds(double value) { return {{"a.py::t", {value, 0}}}; }

double joined(const std::string& dir, const ShardRoundKey& key, double known, UnixMillis now = kNow) {
  const auto durations = join_shard_round(dir, key, seconds(known), now);
  EXPECT_TRUE(durations);
  return durations->at("a.py::t").seconds;
}

class ShardRound : public ::testing::Test {
 protected:
  [[nodiscard]] std::string dir() const { return dir_.path().string(); }
  testing::TempDir dir_;
};

TEST_F(ShardRound, ALaterShardDividesByWhatTheFirstOneKnew) {
  EXPECT_EQ(joined(dir(), kFirst, 1), 1);
  EXPECT_EQ(joined(dir(), kSecond, 2), 1);
}

TEST_F(ShardRound, AShardThatComesAgainBeginsANewRound) {
  EXPECT_EQ(joined(dir(), kFirst, 1), 1);
  EXPECT_EQ(joined(dir(), kFirst, 2), 2);
  EXPECT_EQ(joined(dir(), kSecond, 3), 2);
}

TEST_F(ShardRound, AnotherSuiteOrNumberOfShardsIsAnotherRound) {
  EXPECT_EQ(joined(dir(), kFirst, 1), 1);
  EXPECT_EQ(joined(dir(), {2, 3, kFirst.collected_hash}, 2), 2);
  EXPECT_EQ(joined(dir(), {2, 2, "another suite's hash"}, 3), 3);
}

TEST_F(ShardRound, AfterADayTheRoundIsOver) {
  EXPECT_EQ(joined(dir(), kFirst, 1), 1);
  EXPECT_EQ(joined(dir(), kSecond, 2, kNow + 86'400'000), 2);
}

TEST_F(ShardRound, WhatCannotBeReadBeginsANewRound) {
  EXPECT_EQ(joined(dir(), kFirst, 1), 1);
  ASSERT_TRUE(sys::write_file(dir() + "/shard_rounds/0123456789abcdef-2.json", "{\"begun\":"));
  EXPECT_EQ(joined(dir(), kSecond, 2), 2);
}

}  // namespace
}  // namespace flakestat::store
