#include "model/timestamp.hpp"

#include <gtest/gtest.h>

namespace flakestat {
namespace {

TEST(Timestamp, RoundTripsTheLogsForm) {
  EXPECT_EQ(format_utc(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(parse_rfc3339("2026-08-17T10:00:00.123Z"), 1786960800123);
  EXPECT_EQ(format_utc(1786960800123), "2026-08-17T10:00:00.123Z");
}

TEST(Timestamp, OffsetIsSubtracted) {
  const auto utc = parse_rfc3339("2025-09-25T21:52:32.774Z");
  ASSERT_TRUE(utc);
  EXPECT_EQ(parse_rfc3339("2025-09-25T14:52:32.774867-07:00"), utc);
  EXPECT_EQ(parse_rfc3339("2025-09-25T14:52:32.774867-0700"), utc);
}

TEST(Timestamp, NonsenseIsNothing) {
  for (const char* text : {"", "2026", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T25:00:00Z",
                           "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx"}) {
    EXPECT_FALSE(parse_rfc3339(text)) << text;
  }
}

}  // namespace
}  // namespace flakestat
