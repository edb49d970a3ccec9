#include "app/hunt_replay.hpp"

#include <gtest/gtest.h>

namespace flakestat::app {
namespace {

TEST(ReplayTarget, ANumberIsOfTheLatestHunt) {
  const auto target = parse_replay("7");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(*target, (ReplayTarget{"", 7}));
}

TEST(ReplayTarget, ARunIdMayHoldColons) {
  const auto target = parse_replay("ci:job:7");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(*target, (ReplayTarget{"ci:job", 7}));
}

TEST(ReplayTarget, WhatNamesNoRunIsRefused) {
  for (const auto* text : {"", ":", ":7", "job:", "job", "0", "-1", "job:0", "7:", "99999999999"}) {
    const auto target = parse_replay(text);
    ASSERT_FALSE(target.ok()) << text;
    EXPECT_EQ(target.error().kind, ErrorKind::usage);
  }
}

}  // namespace
}  // namespace flakestat::app
