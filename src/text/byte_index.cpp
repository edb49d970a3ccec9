#include "text/byte_index.hpp"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace flakestat::text {
namespace {

enum Class : std::uint8_t {
  less_byte = 1,
  quote_byte = 2,
  stop_byte = 4,
  newline_byte = 8,
  non_ascii_byte = 16,
  control_byte = 32
};

constexpr std::uint8_t classify(unsigned byte) {
  unsigned result = 0;
  if (byte == '<') result |= less_byte;
  if (byte == '"' || byte == '\'') result |= quote_byte;
  if (byte <= ' ' || byte == '<' || byte == '>' || byte == '=' || byte == '"' || byte == '\'') result |= stop_byte;
  if (byte == '\n') result |= newline_byte;
  if (byte >= 0x80) result |= non_ascii_byte;
  if (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') result |= control_byte;
  return static_cast<std::uint8_t>(result);
}

struct ClassTable {
  std::uint8_t of[256] = {};
  constexpr ClassTable() {
    for (unsigned byte = 0; byte < 256; ++byte) of[byte] = classify(byte);
  }
};
constexpr ClassTable kClasses;

#if defined(__x86_64__)

using Indexer = ByteTraits (*)(const char*, std::size_t, std::span<ByteMasks>);

#define FLAKESTAT_AVX2 __attribute__((target("avx2,bmi,popcnt")))

struct Half32 {
  std::uint64_t less, quote, stop, newline;
};

FLAKESTAT_AVX2 inline Half32 index_32(const char* at, __m256i& bad, __m256i& all) {
  const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  const auto is = [&x](char byte) FLAKESTAT_AVX2 { return _mm256_cmpeq_epi8(x, _mm256_set1_epi8(byte)); };
  const __m256i less = is('<');
  const __m256i quote = _mm256_or_si256(is('"'), is('\''));
  const __m256i low = _mm256_cmpeq_epi8(_mm256_max_epu8(x, _mm256_set1_epi8(' ')), _mm256_set1_epi8(' '));
  const __m256i newline = is('\n');
  const __m256i white = _mm256_or_si256(_mm256_or_si256(newline, is(' ')), _mm256_or_si256(is('\t'), is('\r')));
  const __m256i stop =
      _mm256_or_si256(_mm256_or_si256(_mm256_or_si256(less, quote), low), _mm256_or_si256(is('>'), is('=')));
  bad = _mm256_or_si256(bad, _mm256_andnot_si256(white, low));
  all = _mm256_or_si256(all, x);
  const auto bits = [](__m256i mask) FLAKESTAT_AVX2 {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(mask)));
  };
  return {bits(less), bits(quote), bits(stop), bits(newline)};
}

FLAKESTAT_AVX2 ByteTraits index_avx2(const char* bytes, std::size_t size, std::span<ByteMasks> masks) {
  ByteTraits traits;
  __m256i bad = _mm256_setzero_si256();
  __m256i all = _mm256_setzero_si256();
  for (std::size_t block = 0; block * kBlockBytes < size; ++block) {
    const Half32 a = index_32(bytes + block * kBlockBytes, bad, all);
    const Half32 b = index_32(bytes + block * kBlockBytes + 32, bad, all);
    masks[block] = {a.less | b.less << 32, a.quote | b.quote << 32, a.stop | b.stop << 32};
    traits.newlines += static_cast<std::uint64_t>(std::popcount(a.newline | b.newline << 32));
  }
  traits.control = _mm256_movemask_epi8(bad) != 0;
  traits.non_ascii = _mm256_movemask_epi8(all) != 0;
  return traits;
}

inline Half32 index_16(const char* at, __m128i& bad, __m128i& all) {
  const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const auto is = [&x](char byte) { return _mm_cmpeq_epi8(x, _mm_set1_epi8(byte)); };
  const __m128i less = is('<');
  const __m128i quote = _mm_or_si128(is('"'), is('\''));
  const __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(x, _mm_set1_epi8(' ')), _mm_set1_epi8(' '));
  const __m128i newline = is('\n');
  const __m128i white = _mm_or_si128(_mm_or_si128(newline, is(' ')), _mm_or_si128(is('\t'), is('\r')));
  const __m128i stop = _mm_or_si128(_mm_or_si128(_mm_or_si128(less, quote), low), _mm_or_si128(is('>'), is('=')));
  bad = _mm_or_si128(bad, _mm_andnot_si128(white, low));
  all = _mm_or_si128(all, x);
  const auto bits = [](__m128i mask) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(mask)));
  };
  return {bits(less), bits(quote), bits(stop), bits(newline)};
}

ByteTraits index_sse2(const char* bytes, std::size_t size, std::span<ByteMasks> masks) {
  ByteTraits traits;
  __m128i bad = _mm_setzero_si128();
  __m128i all = _mm_setzero_si128();
  for (std::size_t block = 0; block * kBlockBytes < size; ++block) {
    ByteMasks out;
    std::uint64_t newline = 0;
    for (unsigned part = 0; part < 4; ++part) {
      const Half32 bits = index_16(bytes + block * kBlockBytes + part * 16, bad, all);
      out.less |= bits.less << (part * 16);
      out.quote |= bits.quote << (part * 16);
      out.stop |= bits.stop << (part * 16);
      newline |= bits.newline << (part * 16);
    }
    masks[block] = out;
    traits.newlines += static_cast<std::uint64_t>(std::popcount(newline));
  }
  traits.control = _mm_movemask_epi8(bad) != 0;
  traits.non_ascii = _mm_movemask_epi8(all) != 0;
  return traits;
}

#endif

}  // namespace

ByteTraits index_bytes_portable(const char* bytes, std::size_t size, std::span<ByteMasks> masks) {
  ByteTraits traits;
  unsigned seen = 0;
  for (std::size_t block = 0; block * kBlockBytes < size; ++block) {
    ByteMasks out;
    for (unsigned i = 0; i < kBlockBytes; ++i) {
      const std::uint64_t kind = kClasses.of[static_cast<std::uint8_t>(bytes[block * kBlockBytes + i])];
      seen |= static_cast<unsigned>(kind);
      out.less |= (kind & 1) << i;
      out.quote |= (kind >> 1 & 1) << i;
      out.stop |= (kind >> 2 & 1) << i;
      traits.newlines += kind >> 3 & 1;
    }
    masks[block] = out;
  }
  traits.non_ascii = (seen & non_ascii_byte) != 0;
  traits.control = (seen & control_byte) != 0;
  return traits;
}

ByteTraits index_bytes(const char* bytes, std::size_t size, std::span<ByteMasks> masks) {
#if defined(__x86_64__)
  static const Indexer indexer = __builtin_cpu_supports("avx2") ? index_avx2 : index_sse2;
  return indexer(bytes, size, masks);
#else
  return index_bytes_portable(bytes, size, masks);
#endif
}

}  // namespace flakestat::text
