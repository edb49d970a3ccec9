#include "report/hunt_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/hunt_events_samples.hpp"
#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

TEST(HuntEvents, OneLineAnEvent) {
  std::string all;
  for (const auto& line : samples::hunt_events()) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
    EXPECT_EQ(line.back(), '\n');
    all += line;
  }
  EXPECT_GOLDEN("hunt/events.ndjson", all);
}

TEST(HuntEvents, HostileTextStaysInItsLine) {
  for (const auto& name : samples::hostile_names()) {
    for (const auto& line : samples::hostile_events(name)) {
      EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
      EXPECT_EQ(line.find('\x1b'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace flakestat::report
