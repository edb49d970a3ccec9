#include "text/xml_text.hpp"

#include <gtest/gtest.h>

#include "text/xml_writer.hpp"

namespace flakestat::text {
namespace {

using namespace std::string_literals;

std::string decode(std::string_view raw, XmlPlace place = XmlPlace::attribute, const EntityTable& entities = {}) {
  std::string out;
  append_decoded(out, raw, place, entities);
  return out;
}

TEST(XmlText, ReferencesAreDecodedAndWhatIsNoneStays) {
  EXPECT_EQ(decode("a &lt; b &amp;&amp; &quot;c&quot; &apos;&gt;"), "a < b && \"c\" '>");
  EXPECT_EQ(decode("&#233;&#x1F600;&#xe9;"), "é\U0001F600é");
  EXPECT_EQ(decode("Tom & Jerry &copy; &nbsp; ?a=1&b=2&lt=3 &"), "Tom & Jerry &copy; &nbsp; ?a=1&b=2&lt=3 &");
  EXPECT_EQ(decode("&#0;&#27;"), "\0\x1b"s) << "forbidden ones are decoded too: the caller cleans";
  EXPECT_EQ(decode("&#xD800; &#x110000; &#99999999999; &#; &#x; &#12a;"),
            "&#xD800; &#x110000; &#99999999999; &#; &#x; &#12a;");
}

TEST(XmlText, LineEndsAreBlanksInAttributesAndLineFeedsInContent) {
  EXPECT_EQ(decode("a\r\nb\nc\td\re"), "a b c d e");
  EXPECT_EQ(decode("a&#10;b&#9;c"), "a\nb\tc");
  EXPECT_EQ(decode("a\r\nb\rc\n\td", XmlPlace::content), "a\nb\nc\n\td");
}

TEST(XmlText, EntitiesAreInsertedOnceAndBounded) {
  EntityTable entities;
  entities.declare("a", "x &b; y");
  entities.declare("b", "never");
  entities.declare("a", "a second declaration does not count");
  EXPECT_EQ(decode("[&a;]", XmlPlace::attribute, entities), "[x &b; y]");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "&b;";
  EXPECT_LT(decode(many, XmlPlace::attribute, entities).size(), many.size() + 64 * 8);
  entities.declare("big", std::string(5000, 'x'));
  EXPECT_EQ(entities.find("big"), nullptr);
}

TEST(XmlText, PlainMeansThatDecodingChangesNothing) {
  EXPECT_TRUE(is_plain("com.example.Test name[1] <>\"'"));
  EXPECT_TRUE(is_plain(""));
  for (std::size_t at = 0; at < 40; ++at) {
    for (const char odd : {'&', '\n', '\0', '\x7f', '\x80', '\xff'}) {
      std::string text(40, 'a');
      text[at] = odd;
      ASSERT_FALSE(is_plain(text)) << at;
    }
  }
}

TEST(XmlWriter, WhatIsWrittenComesBack) {
  const auto value = "a<b>&\"'\n\r\t é\U0001F600 ]]>"s;
  std::string written;
  append_attribute(written, "n", value);
  EXPECT_EQ(written.find('\n'), std::string::npos);
  EXPECT_EQ(decode(std::string_view(written).substr(4, written.size() - 5)), value);
  std::string content;
  append_content(content, value);
  EXPECT_EQ(decode(content, XmlPlace::content), value);
}

TEST(XmlWriter, CharactersThatXmlForbidsAreShown) {
  std::string out;
  append_content(out, "a\x1b\0\xFF\xEF\xBF\xBE"s);
  EXPECT_EQ(out, "a\\x1b\\x00\xEF\xBF\xBD\\ufffe");
}

}  // namespace
}  // namespace flakestat::text
