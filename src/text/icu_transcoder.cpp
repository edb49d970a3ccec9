#include "text/icu_transcoder.hpp"

#ifdef FLAKESTAT_ICU
#include <unicode/ucnv.h>
#include <unicode/udata.h>

#include <array>

#include "base/utf8.hpp"
#endif

namespace flakestat::text {

#ifdef FLAKESTAT_ICU
namespace {

class IcuTranscoder final : public Transcoder {
 public:
  explicit IcuTranscoder(UConverter* converter) : converter_(converter) {}

  void feed(std::string_view bytes, std::string& out) override { convert(bytes, false, out); }
  void finish(std::string& out) override { convert({}, true, out); }

  [[nodiscard]] std::uint64_t original_size(std::string_view utf8) const override {
    const bool single = ucnv_getMaxCharSize(converter_.get()) == 1;
    std::uint64_t size = 0;
    for (const char c : utf8) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte & 0xC0) == 0x80) continue;
      size += single || byte < 0x80 ? 1U : byte >= 0xF0 ? 4U : 2U;
    }
    return size;
  }

 private:
  struct Close {
    void operator()(UConverter* converter) const { ucnv_close(converter); }
  };

  void convert(std::string_view bytes, bool last, std::string& out) {
    std::array<UChar, 4096> units;
    const char* source = bytes.data();
    const char* const end = source + bytes.size();
    UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
    while (U_FAILURE(status)) {  // room for more, or one broken sequence passed
      status = U_ZERO_ERROR;
      UChar* target = units.data();
      ucnv_toUnicode(converter_.get(), &target, target + units.size(), &source, end, nullptr, static_cast<UBool>(last),
                     &status);
      for (const UChar* unit = units.data(); unit != target; ++unit) take(*unit, out);
      if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR) take(kReplacement, out);
      if (last && source == end && status != U_BUFFER_OVERFLOW_ERROR) break;
    }
  }

  /// UTF-16 to UTF-8; the halves of a pair may come in different calls.
  void take(char32_t unit, std::string& out) {
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      high_ = unit;
      return;
    }
    if (high_ != 0 && unit >= 0xDC00 && unit <= 0xDFFF) unit = 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00);
    high_ = 0;
    if (unit == kReplacement) ++replaced_;
    append_utf8(out, unit);
  }

  std::unique_ptr<UConverter, Close> converter_;
  char32_t high_ = 0;
};

/// Once for the process: converters come from the linked package, never from files.
bool files_are_off() {
  static const bool off = [] {
    UErrorCode status = U_ZERO_ERROR;
    udata_setFileAccess(UDATA_NO_FILES, &status);
    return U_SUCCESS(status) != 0;
  }();
  return off;
}

/// Encodings that a declaration in 8-bit bytes may name. ICU's matching of names is loose: it takes `UTF-~8` for UTF-8.
bool is_legacy(const UConverter* converter) {
  switch (ucnv_getType(converter)) {
    case UCNV_SBCS:
    case UCNV_DBCS:
    case UCNV_MBCS:
    case UCNV_ISO_2022:
    case UCNV_HZ:
    case UCNV_LATIN_1:
    case UCNV_US_ASCII: return true;
    default: return false;
  }
}

}  // namespace

std::unique_ptr<Transcoder> make_icu_transcoder(std::string_view name) {
  if (!files_are_off()) return nullptr;
  UErrorCode status = U_ZERO_ERROR;
  UConverter* converter = ucnv_open(std::string(name).c_str(), &status);
  if (converter == nullptr || U_FAILURE(status)) return nullptr;
  auto transcoder = std::make_unique<IcuTranscoder>(converter);
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  if (U_FAILURE(status) || !is_legacy(converter)) return nullptr;
  return transcoder;
}
#else
std::unique_ptr<Transcoder> make_icu_transcoder(std::string_view) { return nullptr; }
#endif

}  // namespace flakestat::text
