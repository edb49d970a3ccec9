#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace flakestat {
namespace {

TEST(Utf8, EveryCodePointComesBackFromItsBytes) {
  for (char32_t code = 0; code <= 0x10FFFF; code += code < 0x900 ? 1 : 37) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string bytes;
    append_utf8(bytes, code);
    const auto step = decode_utf8(bytes);
    ASSERT_TRUE(step.valid) << static_cast<std::uint32_t>(code);
    ASSERT_TRUE(step.code == code) << static_cast<std::uint32_t>(code);
    ASSERT_EQ(step.size, bytes.size());
  }
}

TEST(Utf8, WhatUtf8CannotHoldBecomesTheReplacementCharacter) {
  for (const std::uint32_t code : {0xD800U, 0xDFFFU, 0x110000U, 0xFFFFFFFFU}) {
    std::string bytes;
    append_utf8(bytes, code);
    EXPECT_EQ(bytes, "\xEF\xBF\xBD");
  }
}

TEST(Utf8, BrokenSequencesAreOneStepPerLongestBrokenPrefix) {
  EXPECT_EQ(decode_utf8("\x80").size, 1);
  EXPECT_EQ(decode_utf8("\xC0\x80").size, 1) << "overlong";
  EXPECT_EQ(decode_utf8("\xE2\x82").size, 2) << "cut";
  EXPECT_EQ(decode_utf8("\xE2\x82x").size, 2);
  EXPECT_EQ(decode_utf8("\xED\xA0\x80").size, 1) << "surrogate";
  EXPECT_EQ(decode_utf8("\xF4\x90\x80\x80").size, 1) << "above U+10FFFF";
  for (const auto* broken : {"\x80", "\xC0\x80", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80"})
    EXPECT_FALSE(is_valid_utf8(broken));
}

TEST(Utf8, AnIncompleteTailIsOnlyOneThatMoreBytesCanComplete) {
  EXPECT_EQ(incomplete_utf8_tail("abc"), 0U);
  EXPECT_EQ(incomplete_utf8_tail("a\xC3"), 1U);
  EXPECT_EQ(incomplete_utf8_tail("a\xE2\x82"), 2U);
  EXPECT_EQ(incomplete_utf8_tail("a\xF0\x9F\x98"), 3U);
  EXPECT_EQ(incomplete_utf8_tail("a\xF0\x9F\x98\x80"), 0U);
  EXPECT_EQ(incomplete_utf8_tail("a\xED\xA0"), 0U) << "a surrogate is broken already";
  EXPECT_EQ(incomplete_utf8_tail("\x80\x80"), 0U);
}

TEST(Utf8, PrintableAsciiPrefixStopsAtTheFirstOtherByteWhereverItStands) {
  for (std::size_t at = 0; at < 40; ++at) {
    for (const char odd : {'\n', '\0', '\x1f', '\x7f', '\x80', '\xff'}) {
      std::string text(40, 'a');
      text[at] = odd;
      ASSERT_EQ(printable_ascii_prefix(text), at);
    }
  }
  EXPECT_EQ(printable_ascii_prefix(" ~"), 2U);
}

}  // namespace
}  // namespace flakestat
