#include "run/hunt_progress.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace flakestat::run {
namespace {

using namespace std::chrono_literals;
using Durations = std::vector<std::chrono::milliseconds>;

HuntProgress at(const Durations& durations, std::chrono::milliseconds elapsed, std::chrono::milliseconds current) {
  return progress_of({10, 1, elapsed, current, durations});
}

TEST(HuntProgress, NothingIsPromisedBeforeTheFirstRunIsOver) {
  const auto progress = at({}, 5s, 5s);
  EXPECT_EQ(progress.done, 0);
  EXPECT_EQ(progress.remaining, std::nullopt);
  EXPECT_EQ(progress.runs_per_minute, std::nullopt);
}

TEST(HuntProgress, TheMedianStandsForTheRunsToCome) {
  const auto progress = at({60s, 10s, 12s}, 82s, 0s);  // a cold first run
  EXPECT_EQ(progress.remaining, 7 * 12s);
  EXPECT_DOUBLE_EQ(progress.runs_per_minute.value_or(0), 60'000.0 * 3 / 82'000);
}

TEST(HuntProgress, WhatTheCurrentRunUsedIsSubtractedButNeverMoreThanOneRun) {
  EXPECT_EQ(at({10s, 10s}, 24s, 4s).remaining, 76s);
  EXPECT_EQ(at({10s, 10s}, 120s, 100s).remaining, 70s);
}

TEST(HuntProgress, AnEvenNumberOfRunsTakesTheMiddleOfTheTwo) { EXPECT_EQ(at({10s, 20s}, 30s, 0s).remaining, 8 * 15s); }

TEST(HuntProgress, OldDurationsAreForgotten) {
  Durations durations(30, 1s);
  durations.insert(durations.end(), 20, 5s);
  EXPECT_EQ(progress_of({60, 0, 130s, 0s, durations}).remaining, 10 * 5s);
}

TEST(HuntProgress, NothingRemainsAtTheEnd) { EXPECT_EQ(at(Durations(10, 1s), 10s, 0s).remaining, 0s); }

}  // namespace
}  // namespace flakestat::run
