#include "base/duration.hpp"

#include <gtest/gtest.h>

#include <string>

namespace flakestat {
namespace {

std::int64_t millis(std::string_view text) {
  const auto parsed = parse_duration(text);
  return parsed ? parsed->count() : -1;
}

TEST(Duration, ReadsTheDocumentedForms) {
  EXPECT_EQ(millis("90s"), 90'000);
  EXPECT_EQ(millis("5m"), 300'000);
  EXPECT_EQ(millis("2h"), 7'200'000);
  EXPECT_EQ(millis("1h30m"), 5'400'000);
  EXPECT_EQ(millis("1m500ms"), 60'500);
  EXPECT_EQ(millis("250ms"), 250);
  EXPECT_EQ(millis("90d"), 90LL * 86'400'000);
  EXPECT_EQ(millis("1w"), 7LL * 86'400'000);
}

TEST(Duration, BareNumberIsSeconds) {
  EXPECT_EQ(millis("10"), 10'000);
  EXPECT_EQ(millis("0"), 0);
  EXPECT_EQ(millis("1.5"), 1'500);
  EXPECT_EQ(millis("0.1s"), 100);
  EXPECT_EQ(millis(" 3s "), 3'000);
}

TEST(Duration, AnythingElseIsAnError) {
  for (const auto* text :
       {"", "s", "-1s", "+1", "1x", "1s1h", "1s1s", "1h30", "1e3", "inf", "nan", "1 s", "1..2s", ".", "5 m 3s"}) {
    EXPECT_EQ(millis(text), -1) << text;
  }
  EXPECT_EQ(millis(std::string(400, '9') + "d"), -1);
  EXPECT_EQ(millis("40000d"), -1);
}

}  // namespace
}  // namespace flakestat
