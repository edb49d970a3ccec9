// The converters that need no library: UTF-16, UTF-32, Latin-1 and Windows-1252.
#include <array>

#include "base/utf8.hpp"
#include "text/encoding.hpp"
#include "text/icu_transcoder.hpp"

namespace flakestat::text {
namespace {

std::uint32_t byte_at(std::string_view bytes, std::size_t index) { return static_cast<unsigned char>(bytes[index]); }

/// Adds up `size_of(lead byte)` over the characters of valid UTF-8. By lead bytes alone, so that the sizes of two
/// pieces add up to that of the whole even when a character is split between them.
template <class SizeOf>
std::uint64_t sum_over_leads(std::string_view utf8, SizeOf size_of) {
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = byte_at(utf8, i);
    if ((byte & 0xC0) != 0x80) size += size_of(byte);
  }
  return size;
}

/// UTF-16 and UTF-32 in either order: whole units are taken, the rest waits.
class WideTranscoder final : public Transcoder {
 public:
  WideTranscoder(std::size_t width, bool big) : width_(width), big_(big) {}

  void feed(std::string_view bytes, std::string& out) override {
    rest_ += bytes;
    std::size_t at = 0;
    for (; at + width_ <= rest_.size(); at += width_) take(unit(std::string_view(rest_).substr(at, width_)), out);
    rest_.erase(0, at);
  }

  void finish(std::string& out) override {
    if (high_ != 0 || !rest_.empty()) broken(out);
    high_ = 0;
    rest_.clear();
  }

  [[nodiscard]] std::uint64_t original_size(std::string_view utf8) const override {
    return sum_over_leads(utf8, [this](std::uint32_t lead) { return width_ == 2 && lead >= 0xF0 ? 4 : width_; });
  }

 private:
  [[nodiscard]] char32_t unit(std::string_view bytes) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width_; ++i) value = value << 8 | byte_at(bytes, big_ ? i : width_ - 1 - i);
    return value;
  }

  void broken(std::string& out) {
    append_utf8(out, kReplacement);
    ++replaced_;
  }

  void take(char32_t code, std::string& out) {
    const bool low = code >= 0xDC00 && code <= 0xDFFF;
    if (width_ == 2 && high_ != 0) {
      const char32_t high = high_;
      high_ = 0;
      if (low) return append_utf8(out, 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00));
      broken(out);
    }
    if (width_ == 2 && code >= 0xD800 && code <= 0xDBFF) {
      high_ = code;
    } else if (low || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDBFF)) {
      broken(out);
    } else {
      append_utf8(out, code);
    }
  }

  std::size_t width_;
  bool big_;
  char32_t high_ = 0;  ///< a high surrogate that waits for its low one
  std::string rest_;
};

/// Latin-1 and Windows-1252. Reports that declare Latin-1 mean Windows-1252 in 0x80..0x9F, as browsers have found.
class Windows1252Transcoder final : public Transcoder {
 public:
  void feed(std::string_view bytes, std::string& out) override {
    static constexpr std::array<char16_t, 32> kHigh{0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                                    0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,
                                                    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                    0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto byte = byte_at(bytes, i);
      append_utf8(out, byte >= 0x80 && byte < 0xA0 ? kHigh[byte - 0x80] : byte);
    }
  }
  void finish(std::string&) override {}

  [[nodiscard]] std::uint64_t original_size(std::string_view utf8) const override {
    return sum_over_leads(utf8, [](std::uint32_t) { return 1U; });
  }
};

}  // namespace

std::unique_ptr<Transcoder> make_transcoder(std::string_view name) {
  if (name == "UTF-16LE") return std::make_unique<WideTranscoder>(2, false);
  if (name == "UTF-16BE") return std::make_unique<WideTranscoder>(2, true);
  if (name == "UTF-32LE") return std::make_unique<WideTranscoder>(4, false);
  if (name == "UTF-32BE") return std::make_unique<WideTranscoder>(4, true);
  if (name == "ISO-8859-1" || name == "windows-1252") return std::make_unique<Windows1252Transcoder>();
  if (name == "UTF-8") return nullptr;
  return make_icu_transcoder(name);
}

}  // namespace flakestat::text
