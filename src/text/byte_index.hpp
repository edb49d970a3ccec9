// Where the bytes are that end things in XML: one pass of bit masks over a window of text, so that a scanner steps from
// delimiter to delimiter instead of from byte to byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace flakestat::text {

inline constexpr std::size_t kBlockBytes = 64;

/// Bit i of a mask stands for byte i of a block of 64.
struct ByteMasks {
  std::uint64_t less = 0;   ///< `<`
  std::uint64_t quote = 0;  ///< `"` `'`
  std::uint64_t stop = 0;   ///< `<` `>` `=` `"` `'` and every byte up to the blank: what ends a name in a tag
};

/// What a window holds beside its masks.
struct ByteTraits {
  std::uint64_t newlines = 0;
  bool non_ascii = false;
  bool control = false;  ///< some byte below the blank other than tab, line feed, carriage return
};

/// Indexes `bytes` (a multiple of 64) into as many `masks`. Uses the widest vectors that this machine has.
ByteTraits index_bytes(const char* bytes, std::size_t size, std::span<ByteMasks> masks);

/// The same without vector instructions: for machines without them, and to test against.
ByteTraits index_bytes_portable(const char* bytes, std::size_t size, std::span<ByteMasks> masks);

}  // namespace flakestat::text
