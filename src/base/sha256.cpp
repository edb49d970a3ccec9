#include "base/sha256.hpp"

// The low-level functions are deprecated in OpenSSL 3 in favour of EVP; they are kept on purpose: they pull no
// provider, no configuration file and no dynamic loading into the static binary, and have no start-up cost.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <charconv>
#include <new>

namespace flakestat {
namespace {
SHA256_CTX* context(std::array<unsigned char, 128>& bytes) {
  return std::launder(reinterpret_cast<SHA256_CTX*>(bytes.data()));
}
}  // namespace

Sha256::Sha256() {
  static_assert(sizeof(SHA256_CTX) <= 128 && alignof(SHA256_CTX) <= 8);
  SHA256_Init(new (context_.data()) SHA256_CTX);
}

Sha256& Sha256::update(std::string_view bytes) {
  SHA256_Update(context(context_), bytes.data(), bytes.size());
  return *this;
}

Sha256& Sha256::update_prefixed(std::string_view bytes) {
  std::array<char, 24> prefix;
  const auto end = std::to_chars(prefix.data(), prefix.data() + prefix.size() - 1, bytes.size()).ptr;
  *end = ':';
  update({prefix.data(), static_cast<std::size_t>(end - prefix.data()) + 1});
  return update(bytes);
}

Sha256Digest Sha256::finish() {
  Sha256Digest digest;
  SHA256_Final(digest.data(), context(context_));
  return digest;
}

Sha256Digest sha256(std::string_view bytes) { return Sha256().update(bytes).finish(); }

std::string hex_prefix(const Sha256Digest& digest, std::size_t bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes * 2);
  for (std::size_t i = 0; i < bytes && i < digest.size(); ++i) {
    out.push_back(kHex[digest[i] >> 4]);
    out.push_back(kHex[digest[i] & 15]);
  }
  return out;
}

std::uint64_t first_u64(const Sha256Digest& digest) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8 | digest[i];
  return value;
}

}  // namespace flakestat
