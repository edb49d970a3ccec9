#include "text/xml_scanner.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace flakestat::text {
namespace {

using namespace std::string_literals;

ReadBytes from(std::string bytes) {
  std::size_t at = 0;
  return [bytes = std::move(bytes), at](char* buffer, std::size_t size) mutable -> Result<std::size_t> {
    const auto count = bytes.copy(buffer, size, at);
    at += count;
    return count;
  };
}

/// All events in one line: `<a b=1>`, `</a>`, `"text"`, `[cdata]`; neighbouring pieces of text are joined.
std::string events(const std::string& xml, XmlLimits limits = {}) {
  XmlScanner scanner(from(xml), limits);
  scanner.want_text(true);
  std::string out;
  std::string run;
  char kind = 0;
  const auto piece = [&](char now) {
    if (kind != now && !run.empty()) out += (kind == 't' ? "\"" + run + "\"" : "[" + run + "]"), run.clear();
    kind = now;
  };
  for (;;) {
    switch (scanner.next()) {
      case XmlEvent::start:
        piece('m');
        out += "<" + std::string(scanner.name());
        for (const auto& [name, value] : scanner.attributes())
          out += " " + std::string(name) + "=" + std::string(value);
        out += scanner.self_closing() ? "/>" : ">";
        break;
      case XmlEvent::end: piece('m'), out += "</" + std::string(scanner.name()) + ">"; break;
      case XmlEvent::text: piece('t'), run += scanner.text(); break;
      case XmlEvent::cdata: piece('c'), run += scanner.text(); break;
      case XmlEvent::finish:
        piece('m');
        return out + (scanner.cut_off().empty() ? "" : " cut in " + std::string(scanner.cut_off()));
      case XmlEvent::failed: return out + " failed";
    }
  }
}

struct Sample {
  std::string xml;
  std::string expected;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{
      {"<a><b c='1' d=\"2\"/>t</a>", "<a><b c=1 d=2/>\"t\"</a>"},
      {"<a b = \"1\"\n c\t=\n'2' >", "<a b=1 c=2>"},
      {"<a b=c d=e/><f g=h>", "<a b=c d=e/><f g=h>"},
      {"<a disabled b=\"1\"c='2'/>", "<a disabled= b=1 c=2/>"},
      {"<a b='<c> & d>'>", "<a b=<c> & d>>"},
      {"<a b=x/y/>", "<a b=x/y/>"},
      {"if (a < b && i<n; c) </a>", "\"if (a < b && i<n; c) \"</a>"},
      {"<a <b/>", "\"<a \"<b/>"},
      {"x<!-- <y> -- > --->z", "\"xz\""},
      {"<![CDATA[<a>]]]]><![CDATA[>]]>b", "[<a>]]>]\"b\""},
      {"<?xml version='1.0' ?><?pi <a> ?><a/>", "<a/>"},
      {"</a\n ></b </c>", "</a></b></c>"},
      {"< a></><//>", "\"< a></><//>\""},
      {"<!DOCTYPE a [<!ENTITY x \"]>\"><!-- ] --> <?p ]> ?> %pe; ]><a/>", "<a/>"},
      {"<!doctype html><html>", "<html>"},
      {"<a><!DOCTYPE b></a>", "<a>\"<!DOCTYPE b>\"</a>"},
      {"<a b=\"c", " cut in a tag"},
      {"x<", "\"x<\""},
      {"<a", " cut in a tag"},
      {"</a", " cut in an end tag"},
      {"<!-- a", " cut in a comment"},
      {"<![CDATA[a]", "[a]] cut in a CDATA section"},
      {"<?a", " cut in a processing instruction"},
      {"<!DOCTYPE a [<!ENTITY", " cut in the document type"},
      {"<é ü='1'/>", "<é ü=1/>"},
      {"<ns:a x:b='1'/>", "<ns:a x:b=1/>"},
      {"<a\0b='1'/>"s, "<a b=1/>"},
  };
  return all;
}

TEST(XmlScanner, FindsTheTokensOfGoodAndBadMarkup) {
  for (const auto& sample : samples()) EXPECT_EQ(events(sample.xml), sample.expected) << sample.xml;
}

// The window's end may lie anywhere: everything is padded so that each token meets it once.
TEST(XmlScanner, TokensDoNotDependOnWhereTheWindowEnds) {
  for (const auto& sample : samples()) {
    for (std::size_t pad = 0; pad < 130; ++pad) {
      const std::string filler(pad, ' ');
      const auto expected = events(filler + sample.xml);
      ASSERT_EQ(events("<!--p-->" + filler + sample.xml, {64, 4096, 1024}), expected) << sample.xml << " after " << pad;
    }
  }
}

TEST(XmlScanner, ATagLongerThanTheLimitIsCutAndItsKnownAttributesKept) {
  const XmlLimits limits{64, 256, 16};
  EXPECT_EQ(events("<a b='1' c='" + std::string(5000, 'x') + "' d='2'/><e/>", limits),
            "<a b=1 c=" + std::string(16, 'x') + "/><e/>");
  EXPECT_EQ(events("<a b='1' c='" + std::string(5000, '>') + "'>t</a>", limits),
            "<a b=1 c=" + std::string(16, '>') + ">\"t\"</a>");
  XmlScanner scanner(from("\n\n<a c='" + std::string(5000, 'x') + "'/>"), limits);
  while (scanner.next() != XmlEvent::finish) {
  }
  EXPECT_EQ(scanner.cut_tags().count, 1U);
  EXPECT_EQ(scanner.cut_tags().first_line, 3U);
}

TEST(XmlScanner, AMillionAttributesAreReadOnceAndTheFirstOnesKept) {
  std::string xml = "<a";
  for (int i = 0; i < 1000000; ++i) xml += " b='1'";
  XmlScanner scanner(from(xml + "/>"));
  ASSERT_EQ(scanner.next(), XmlEvent::start);
  EXPECT_EQ(scanner.attributes().size(), XmlScanner::kMaxAttributes);
}

TEST(XmlScanner, OffsetAndLineAreThoseOfTheOriginalFile) {
  XmlScanner scanner(from("\xEF\xBB\xBF\n<a>\n<b/>"));
  ASSERT_EQ(scanner.next(), XmlEvent::start);
  EXPECT_EQ(scanner.offset(), 7U);
  EXPECT_EQ(scanner.line(), 2U);
  ASSERT_EQ(scanner.next(), XmlEvent::start);
  EXPECT_EQ(scanner.line(), 3U);
  ASSERT_EQ(scanner.next(), XmlEvent::finish);
  EXPECT_EQ(scanner.offset(), 12U);
}

TEST(XmlScanner, OffsetsOfConvertedTextCountTheOriginalBytes) {
  std::string bytes = "\xFE\xFF";
  for (const char c : "<a b='x'>"s) bytes += "\0"s + c;
  XmlScanner scanner(from(bytes));
  ASSERT_EQ(scanner.next(), XmlEvent::start);
  EXPECT_EQ(scanner.offset(), 20U);
}

TEST(XmlScanner, BetweenDocumentsOnlyTheWantedTagsAreSeen) {
  static constexpr std::array<std::string_view, 1> kWanted{"root"};
  for (const std::size_t window : {64U, 100U, 4096U}) {
    XmlScanner scanner(
        from("log <unit it's \"5 < 6 <!-- <root/> --> <rooted> <![CDATA[<root>]]> <x:root a='1'>t</x:root><root"),
        {window, 4096, 1024});
    ASSERT_EQ(scanner.next_start_of(kWanted), XmlEvent::start);
    EXPECT_EQ(scanner.name(), "x:root");
    EXPECT_EQ(scanner.attributes().size(), 1U);
    EXPECT_EQ(scanner.next_start_of(kWanted), XmlEvent::finish);
  }
}

TEST(XmlScanner, SurveyNamesTheFirstLineOfOddBytes) {
  for (const std::size_t window : {64U, 4096U}) {
    XmlScanner scanner(from("<a>\n" + std::string(200, 'x') + "\n\xC3\xA9\xFF\n\x01\x02</a>\n\xE2\x82"),
                       {window, 4096, 1024});
    while (scanner.next() != XmlEvent::finish) {
    }
    EXPECT_EQ(scanner.survey().broken_utf8().count, 2U);
    EXPECT_EQ(scanner.survey().broken_utf8().first_line, 3U);
    EXPECT_EQ(scanner.survey().control_characters().count, 2U);
    EXPECT_EQ(scanner.survey().control_characters().first_line, 4U);
  }
}

TEST(XmlScanner, AReadErrorEndsTheScan) {
  int calls = 0;
  XmlScanner scanner([&calls](char* buffer, std::size_t size) -> Result<std::size_t> {
    if (calls++ > 0) return Error{ErrorKind::io, "read x: gone"};
    return "<a><b>"s.copy(buffer, size);
  });
  EXPECT_EQ(scanner.next(), XmlEvent::failed);
  EXPECT_EQ(scanner.error().message, "read x: gone");
}

}  // namespace
}  // namespace flakestat::text
