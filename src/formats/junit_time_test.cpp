#include "formats/junit_time.hpp"

#include <gtest/gtest.h>

namespace flakestat::formats {
namespace {

TEST(Duration, EverySpellingOfALocaleIsRead) {
  const std::pair<const char*, double> kSpellings[] = {{"1.5", 1.5},
                                                       {"0,125", 0.125},
                                                       {"1,234.5", 1234.5},
                                                       {"1.234,5", 1234.5},
                                                       {"12,345,678.25", 12345678.25},
                                                       {"1,234.56", 1234.56},
                                                       {"14,029.255", 14029.255},
                                                       {"1\xC2\xA0"
                                                        "234,5",
                                                        1234.5},
                                                       {"1\xE2\x80\xAF"
                                                        "234,5",
                                                        1234.5},
                                                       {"1'234.5", 1234.5},
                                                       {"1 234", 1234},
                                                       {"3.9e-05", 3.9e-05},
                                                       {"1E3", 1000},
                                                       {"  2.5  ", 2.5},
                                                       {"+1.5", 1.5},
                                                       {".5", 0.5},
                                                       {"5.", 5},
                                                       {"0", 0},
                                                       {"PT0.1S", 0.1},
                                                       {"PT1M2.5S", 62.5},
                                                       {"PT1H", 3600}};
  for (const auto& [text, seconds] : kSpellings) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_NEAR(*parsed, seconds, 1e-9) << text;
  }
}

TEST(Duration, NegativeIsZero) {
  EXPECT_EQ(parse_duration("-0.001"), 0.0);
  EXPECT_EQ(parse_duration("-1,5"), 0.0);
}

TEST(Duration, AnythingElseIsUnknownNotZero) {
  for (const char* text :
       {"",      " ",     "x.x.x", "NaN",       "nan",  "Infinity", "inf",         "-inf",         "1e999",
        "0.25s", "1.2.3", "1,2,3", "1,234.5.6", "1 .5", "1' 5",     "--1",         "+-1",          "+",
        "-",     "PT",    "PTxS",  "PT1X",      "P1D",  "0x10",     "1.234,567.8", "<<computed>>", "[WILDCARD]"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

ReportStamp utc(const char* text) { return {parse_rfc3339(text).value(), false}; }
ReportStamp local(const char* text) { return {parse_rfc3339(text).value(), true}; }

// Field case A19: the offset counts.
TEST(Stamp, AnOffsetIsAppliedAndItsAbsenceMarked) {
  EXPECT_EQ(parse_stamp("2025-09-25T14:52:32.774867-07:00"), utc("2025-09-25T21:52:32.774Z"));
  EXPECT_EQ(parse_stamp("2024-01-03T12:27:15+0100"), utc("2024-01-03T11:27:15Z"));
  EXPECT_EQ(parse_stamp("2024-01-03T12:27:15+01"), utc("2024-01-03T11:27:15Z"));
  EXPECT_EQ(parse_stamp("2024-01-03T12:27:11"), local("2024-01-03T12:27:11Z"));
  EXPECT_EQ(parse_stamp("2024-01-03T12:27:44Z"), utc("2024-01-03T12:27:44Z"));
}

TEST(Stamp, TheShapesOfTheCorpusAreRead) {
  EXPECT_EQ(parse_stamp("2024-01-03T 12:40:13"), local("2024-01-03T12:40:13Z"));
  EXPECT_EQ(parse_stamp("2024-01-03 12:27:54Z"), utc("2024-01-03T12:27:54Z"));
  EXPECT_EQ(parse_stamp("2024-01-03T12:27:11.21-01:00"), utc("2024-01-03T13:27:11.210Z"));
  EXPECT_EQ(parse_stamp("Mon, 30 Nov 2026 16:54:53 GMT"), utc("2026-11-30T16:54:53Z"));
  EXPECT_EQ(parse_stamp("30 Nov 2026 16:54:53 GMT"), utc("2026-11-30T16:54:53Z"));
  EXPECT_EQ(parse_stamp("2024-01-03T12:27:11,5Z"), utc("2024-01-03T12:27:11.500Z"));
  EXPECT_EQ(parse_stamp("1704284831"), utc("2024-01-03T12:27:11Z"));
  EXPECT_EQ(parse_stamp("1704284831.25"), utc("2024-01-03T12:27:11.250Z"));
  EXPECT_EQ(parse_stamp("1704284831250"), utc("2024-01-03T12:27:11.250Z"));
}

TEST(Stamp, WhatIsNoStartIsNothing) {
  for (const char* text :
       {"", "2024-01-03", "{iso8601-timestamp}", "0001-01-01T00:00:00", "1970-01-01T00:00:00Z", "2024-02-30T10:00:00",
        "2024-13-03T10:00:00", "2024-01-03T25:00:00", "2024-01-03T10:61:00", "2024-01-03T10:00:00 PST", "12", "NaN",
        "2024-01-03T10:00:00+99:00", "tomorrow", "2024-01-03T10:00:00.Z"}) {
    EXPECT_FALSE(parse_stamp(text)) << text;
  }
}

}  // namespace
}  // namespace flakestat::formats
