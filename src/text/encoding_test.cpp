#include "text/encoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace flakestat::text {
namespace {

using namespace std::string_literals;

std::string convert(std::string bytes, std::size_t chunk, Utf8Input** kept = nullptr) {
  static std::unique_ptr<Utf8Input> input;
  std::size_t at = 0;
  input = std::make_unique<Utf8Input>([bytes, chunk, at](char* buffer, std::size_t size) mutable -> Result<std::size_t> {
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

TEST(Encoding, OriginalSizesCountTheBytesOfTheSource) {
  EXPECT_EQ(make_transcoder("UTF-16LE")->original_size("a€\U0001F600"), 8U);
  EXPECT_EQ(make_transcoder("UTF-32BE")->original_size("a€\U0001F600"), 12U);
  EXPECT_EQ(make_transcoder("ISO-8859-1")->original_size("aé€"), 3U);
  EXPECT_EQ(make_transcoder("UTF-8"), nullptr);
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
