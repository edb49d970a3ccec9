#include "base/byte_size.hpp"

#include <gtest/gtest.h>

#include <string>

namespace flakestat {
namespace {

std::uint64_t size_of(std::string_view text) {
  const auto size = parse_byte_size(text);
  EXPECT_TRUE(size.ok()) << text;
  return size.ok() ? *size : 0;
}

TEST(ByteSize, UnitsGoInStepsOf1024InEitherCase) {
  EXPECT_EQ(size_of("0"), 0U);
  EXPECT_EQ(size_of("300"), 300U);
  EXPECT_EQ(size_of("300B"), 300U);
  EXPECT_EQ(size_of("64K"), 65536U);
  EXPECT_EQ(size_of("64kb"), 65536U);
  EXPECT_EQ(size_of("64KiB"), 65536U);
  EXPECT_EQ(size_of("10MB"), 10U << 20);
  EXPECT_EQ(size_of(" 1.5 G "), 1536U << 20);
  EXPECT_EQ(size_of("1024T"), std::uint64_t{1} << 50);
}

TEST(ByteSize, PartsOfAByteAreCut) { EXPECT_EQ(size_of("0.0011K"), 1U); }

TEST(ByteSize, WhatIsNoSizeIsRefused) {
  for (const auto* text : {"", " ", "K", "-1", "+1", "1e3", "inf", "1.2.3", "12X", "1KK", "1 K B", "0x10", "1,5M"}) {
    const auto size = parse_byte_size(text);
    ASSERT_FALSE(size.ok()) << text;
    EXPECT_EQ(size.error().kind, ErrorKind::usage);
  }
}

TEST(ByteSize, MoreThanAMachineHasIsRefused) {
  EXPECT_FALSE(parse_byte_size("1025T").ok());
  EXPECT_FALSE(parse_byte_size(std::string(400, '9')).ok());
}

}  // namespace
}  // namespace flakestat
