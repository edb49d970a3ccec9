#include "text/byte_index.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace flakestat::text {
namespace {

std::string random_bytes(unsigned seed, std::size_t size) {
  std::mt19937 random(seed);
  const std::string likely = "<>=\"' \n\tabc/";
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = seed % 2 == 0 ? static_cast<char>(random() & 0xFF) : likely[random() % likely.size()];
  return bytes;
}

TEST(ByteIndex, VectorsAgreeWithThePlainLoop) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto bytes = random_bytes(seed, 64 * (1 + seed % 5));
    std::vector<ByteMasks> fast(bytes.size() / 64), plain(bytes.size() / 64);
    const auto a = index_bytes(bytes.data(), bytes.size(), fast);
    const auto b = index_bytes_portable(bytes.data(), bytes.size(), plain);
    ASSERT_EQ(a.newlines, b.newlines);
    ASSERT_EQ(a.non_ascii, b.non_ascii);
    ASSERT_EQ(a.control, b.control);
    for (std::size_t i = 0; i < fast.size(); ++i) {
      ASSERT_EQ(fast[i].less, plain[i].less);
      ASSERT_EQ(fast[i].quote, plain[i].quote);
      ASSERT_EQ(fast[i].stop, plain[i].stop);
    }
  }
}

TEST(ByteIndex, EveryByteValueHasItsBits) {
  for (unsigned value = 0; value < 256; ++value) {
    std::string bytes(64, 'a');
    bytes[17] = static_cast<char>(value);
    std::vector<ByteMasks> masks(1);
    const auto traits = index_bytes(bytes.data(), bytes.size(), masks);
    const std::uint64_t bit = std::uint64_t{1} << 17;
    EXPECT_EQ(masks[0].less, value == '<' ? bit : 0);
    EXPECT_EQ(masks[0].quote, value == '"' || value == '\'' ? bit : 0);
    EXPECT_EQ(masks[0].stop, value <= ' ' || (value >= '<' && value <= '>') || value == '"' || value == '\'' ? bit : 0);
    EXPECT_EQ(traits.newlines, value == '\n' ? 1U : 0U);
    EXPECT_EQ(traits.non_ascii, value >= 0x80);
    EXPECT_EQ(traits.control, value < ' ' && value != '\t' && value != '\n' && value != '\r');
  }
}

}  // namespace
}  // namespace flakestat::text
