#include "base/byte_size.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace flakestat {
namespace {

TEST(ByteSize, NumbersUnitsAndBlanks) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"0", 0},          {"1", 1},           {"65536", 65536},      {"64K", 65536},
      {"64k", 65536},    {"64 KB", 65536},   {"64kib", 65536},      {"10MB", 10485760},
      {"1.5M", 1572864}, {"2G", 2147483648}, {"1TiB", 1ULL << 40},  {" 7B ", 7},
      {"0.5K", 512},     {"0.0001K", 0},     {"1024T", 1ULL << 50},
  };
  for (const auto& [text, size] : cases) {
    const auto parsed = parse_byte_size(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, size) << text;
  }
}

TEST(ByteSize, WhatIsNoSizeIsAUsageErrorThatShowsHow) {
  for (const auto* text :
       {"", " ", "K", "-1", "+1", "1e3", "inf", "nan", "1X", "1KK", "1iB", "1 K 2", "1..2", "0x10"}) {
    const auto parsed = parse_byte_size(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::usage);
    EXPECT_NE(parsed.error().message.find("64K"), std::string::npos);
  }
}

TEST(ByteSize, WhatIsBeyondAnyUseIsRefused) {
  for (const auto* text : {"1025T", "99999999999999999999999999", "1125899906842625"}) {
    EXPECT_FALSE(parse_byte_size(text).ok()) << text;
  }
}

}  // namespace
}  // namespace flakestat
