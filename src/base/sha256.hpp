// SHA-256, the one digest of every identity in flakestat. Thin over libcrypto.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace flakestat {

using Sha256Digest = std::array<std::uint8_t, 32>;

/// Incremental SHA-256. Copyable: a copy continues from the same prefix (cheap sharing of common prefixes).
/// Not thread-safe per object; objects are independent.
class Sha256 {
 public:
  Sha256();
  Sha256& update(std::string_view bytes);
  /// Length-prefixed update: `<len>:<bytes>` (design: exec_key sequences).
  Sha256& update_prefixed(std::string_view bytes);
  /// Ends the digest; the object must not be updated afterwards.
  [[nodiscard]] Sha256Digest finish();

 private:
  // SHA256_CTX is 112 bytes; kept opaque so that openssl headers stay out of ours.
  alignas(8) std::array<unsigned char, 128> context_;
};

[[nodiscard]] Sha256Digest sha256(std::string_view bytes);

/// Lower-case hex of the first `bytes` bytes of a digest (two characters a byte).
[[nodiscard]] std::string hex_prefix(const Sha256Digest& digest, std::size_t bytes);

/// The first 8 bytes of a digest, big-endian, as one number: prints as the first 16 hex digits.
[[nodiscard]] std::uint64_t first_u64(const Sha256Digest& digest);

}  // namespace flakestat
