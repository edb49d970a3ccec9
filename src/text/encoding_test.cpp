#include "text/encoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace flakestat::text {
namespace {

using namespace std::string_literals;

std::string convert(std::string bytes, std::size_t chunk, Utf8Input** kept = nullptr) {
  static std::unique_ptr<Utf8Input> input;
  std::size_t at = 0;
  input =
      std::make_unique<Utf8Input>([bytes, chunk, at](char* buffer, std::size_t size) mutable -> Result<std::size_t> {
        const auto count = bytes.copy(buffer, std::min(size, chunk), at);
        at += count;
        return count;
      });
  std::string out(4 * bytes.size() + 16, '\0');
  out.resize(input->fill(out.data(), out.size()).value());
  if (kept != nullptr) *kept = input.get();
  return out;
}

std::string wide(std::u16string_view text, bool big) {
  std::string out;
  for (const char16_t unit : text) {
    const char low = static_cast<char>(unit & 0xFF);
    const char high = static_cast<char>(unit >> 8);
    out += big ? std::string{high, low} : std::string{low, high};
  }
  return out;
}

TEST(Encoding, IsKnownByMarkThenByNulsThenByDeclaration) {
  EXPECT_EQ(detect_encoding("\xEF\xBB\xBF<?xml encoding='ISO-8859-1'?>").name, "UTF-8");
  EXPECT_EQ(detect_encoding("\xEF\xBB\xBF<a/>").bom, 3U);
  EXPECT_EQ(detect_encoding("\xFF\xFE<\0"s).name, "UTF-16LE");
  EXPECT_EQ(detect_encoding("\xFE\xFF\0<"s).name, "UTF-16BE");
  EXPECT_EQ(detect_encoding("<\0?\0x\0"s).name, "UTF-16LE");
  EXPECT_EQ(detect_encoding("\0<\0?\0x"s).name, "UTF-16BE");
  EXPECT_EQ(detect_encoding("<\0\0\0?\0\0\0"s).name, "UTF-32LE");
  EXPECT_EQ(detect_encoding("\0\0\0<\0\0\0?"s).name, "UTF-32BE");
  EXPECT_EQ(detect_encoding("<?xml version=\"1.0\" encoding=\"latin1\"?>").name, "ISO-8859-1");
  EXPECT_EQ(detect_encoding("<?xml encoding = 'Windows-1252'?>").name, "windows-1252");
  EXPECT_EQ(detect_encoding("log line\n<?xml encoding='ISO-8859-1'?>").name, "ISO-8859-1");
  EXPECT_EQ(detect_encoding("<?xml encoding='koi8_r'?>").name, "KOI8-R");
  EXPECT_EQ(detect_encoding("<a encoding='latin1'/>").name, "UTF-8");
  EXPECT_EQ(detect_encoding("").name, "UTF-8");
  EXPECT_EQ(detect_encoding("\0\0\0\0"s).name, "UTF-8") << "padding, not UTF-32";
}

TEST(Encoding, ADeclaredUtf16OverEightBitBytesIsNotBelieved) {
  const auto choice = detect_encoding("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>");
  EXPECT_EQ(choice.name, "UTF-8");
  EXPECT_EQ(choice.disbelieved, "UTF-16");
}

TEST(Encoding, WideTextIsConvertedWhereverItsBytesAreSplit) {
  const auto text = u"<a b='päckage €'>\U0001F600</a>"s;
  for (const bool big : {false, true}) {
    const auto mark = big ? "\xFE\xFF"s : "\xFF\xFE"s;
    for (const std::size_t chunk : {1U, 2U, 3U, 7U, 64U, 1000U}) {
      EXPECT_EQ(convert(mark + wide(text, big), chunk), "<a b='päckage €'>\U0001F600</a>") << chunk;
    }
  }
}

TEST(Encoding, LoneSurrogatesAndHalfUnitsAreReplacedAndCounted) {
  Utf8Input* input = nullptr;
  EXPECT_EQ(convert("\xFF\xFE"s + wide(u"<a>", false) + "\x00\xD8"s + wide(u"x", false) + "\x00\xDC"s + "y", 5, &input),
            "<a>\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(input->replaced(), 3U);
}

TEST(Encoding, LatinOneHasTheWindowsCharactersBrowsersRead) {
  EXPECT_EQ(convert("<?xml encoding='ISO-8859-1'?><a b='\xE9\x80'/>", 3), "<?xml encoding='ISO-8859-1'?><a b='é€'/>");
}

TEST(Encoding, LegacyEncodingsAreConvertedWhereverTheirBytesAreSplit) {
  if (make_transcoder("KOI8-R") == nullptr) GTEST_SKIP() << "built without ICU's converters";
  const std::pair<const char*, std::pair<const char*, const char*>> kSamples[] = {
      {"KOI8-R", {"\xD4\xC5\xD3\xD4", "тест"}},
      {"windows-1251", {"\xF2\xE5\xF1\xF2", "тест"}},
      {"iso-8859-2",
       {"\xB3\xF3"
        "d\xBC",
        "łódź"}},
      {"Shift_JIS", {"\x83\x65\x83\x58\x83\x67", "テスト"}},
      {"EUC-JP", {"\xA5\xC6\xA5\xB9\xA5\xC8", "テスト"}},
      {"GBK", {"\xB2\xE2\xCA\xD4", "测试"}},
      {"GB18030", {"\xB2\xE2\x94\x39\xDA\x33", "测\U0001F4A9"}},
      {"Big5", {"\xB4\xFA\xB8\xD5", "測試"}},
      {"EUC-KR", {"\xBD\xC3\xC7\xE8", "시험"}}};
  for (const auto& [name, sample] : kSamples) {
    const auto head = "<?xml version='1.0' encoding='"s + name + "'?><a b='";
    for (const std::size_t chunk : {1U, 2U, 3U, 1000U}) {
      EXPECT_EQ(convert(head + sample.first + "'/>", chunk), head + sample.second + "'/>") << name << " " << chunk;
    }
  }
}

TEST(Encoding, BrokenLegacyBytesAreReplacedAndUnknownNamesRefused) {
  if (make_transcoder("KOI8-R") == nullptr) GTEST_SKIP() << "built without ICU's converters";
  Utf8Input* input = nullptr;
  EXPECT_EQ(convert("<?xml encoding='EUC-JP'?>\xFF|\xA5", 1, &input),
            "<?xml encoding='EUC-JP'?>\xEF\xBF\xBD|\xEF\xBF\xBD");
  EXPECT_EQ(input->replaced(), 2U);
  for (const char* name :
       {"X-NO-SUCH", "../../../../etc/passwd", "/etc/passwd", "ISO-8859-99", "%s%n", "UTF-~8", "UTF-7", "unicode"})
    EXPECT_EQ(make_transcoder(name), nullptr) << name;
}

TEST(Encoding, OriginalSizesCountTheBytesOfTheSource) {
  EXPECT_EQ(make_transcoder("UTF-16LE")->original_size("a€\U0001F600"), 8U);
  EXPECT_EQ(make_transcoder("UTF-32BE")->original_size("a€\U0001F600"), 12U);
  EXPECT_EQ(make_transcoder("ISO-8859-1")->original_size("aé€"), 3U);
  EXPECT_EQ(make_transcoder("UTF-8"), nullptr);
  const std::string text = "é€\U0001F600";
  for (const char* name : {"UTF-16LE", "UTF-32LE", "ISO-8859-1"}) {
    const auto transcoder = make_transcoder(name);
    for (std::size_t at = 0; at <= text.size(); ++at) {
      EXPECT_EQ(transcoder->original_size(text.substr(0, at)) + transcoder->original_size(text.substr(at)),
                transcoder->original_size(text));
    }
  }
}

TEST(Encoding, Utf8PassesThroughUntouchedAndBrokenBytesToo) {
  const auto bytes = "<a b='\xFF\xC3'/>\0tail"s;
  EXPECT_EQ(convert(bytes, 2), bytes);
  EXPECT_EQ(convert("\xEF\xBB\xBF" + bytes, 2), bytes);
}

TEST(Encoding, AReadErrorIsPassedOn) {
  Utf8Input input([](char*, std::size_t) -> Result<std::size_t> { return Error{ErrorKind::io, "read x: no"}; });
  char buffer[8];
  const auto got = input.fill(buffer, sizeof buffer);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace flakestat::text
