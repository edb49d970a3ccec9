#include "text/json_writer.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <limits>
#include <random>

#include "text/code_points.hpp"
#include "text/escape.hpp"
#include "text/nasty_text.hpp"

namespace flakestat::text {
namespace {

template <class T>
std::string compact(const T& value) {
  JsonWriter json(JsonStyle::compact);
  json.value(value);
  return json.take();
}

TEST(JsonWriter, KeysKeepTheirOrder) {
  JsonWriter json(JsonStyle::compact);
  json.begin_object().field("z", 1).field("a", "x").field("flag", true).field("none", std::optional<int>());
  json.key("list").begin_array().value(1U).value(-2).null().end_array().end_object();
  EXPECT_EQ(json.finish(), "{\"z\":1,\"a\":\"x\",\"flag\":true,\"none\":null,\"list\":[1,-2,null]}\n");
}

TEST(JsonWriter, PrettyIsIndentedByTwo) {
  JsonWriter json;
  json.begin_object()
      .field("a", 1)
      .key("b")
      .begin_array()
      .end_array()
      .key("c")
      .begin_array()
      .raw("{\"x\":1}")
      .end_array();
  json.end_object();
  EXPECT_EQ(json.finish(), "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": [\n    {\"x\":1}\n  ]\n}\n");
}

TEST(JsonWriter, DoublesAreShortestAndRoundTrip) {
  EXPECT_EQ(compact(0.1), "0.1");
  EXPECT_EQ(compact(1.0), "1");
  EXPECT_EQ(compact(-0.0), "0");
  EXPECT_EQ(compact(1e-8), "1e-08");
  EXPECT_EQ(compact(1.0 / 3), "0.3333333333333333");
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const double number = unit(random) * std::pow(10, i % 40 - 20);
    rapidjson::Document document;
    document.Parse<rapidjson::kParseFullPrecisionFlag>(compact(number).c_str());
    ASSERT_EQ(document.GetDouble(), number);
  }
}

TEST(JsonWriter, WhatIsNoNumberIsNull) {
  EXPECT_EQ(compact(std::nan("")), "null");
  EXPECT_EQ(compact(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, WholeRangeOfIntegers) {
  EXPECT_EQ(compact(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(compact(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

TEST(JsonWriter, HiddenCharactersAreEscaped) {
  EXPECT_EQ(compact("a\"b\\c\n\x1b\x7f"), R"("a\"b\\c\n\u001b\u007f")");
  EXPECT_EQ(compact("\xC2\x9B\xE2\x80\xAE\xF3\xA0\x80\x81"), R"("\u009b\u202e\udb40\udc01")");
  EXPECT_EQ(compact("größe 日本"), "\"größe 日本\"");
}

TEST(JsonWriter, BrokenUtf8IsReplaced) { EXPECT_EQ(compact("a\xFF"), "\"a\uFFFD\""); }

TEST(JsonWriter, EveryTextReadsBackAsItself) {
  NastyText nasty(31);
  for (int i = random_texts(); i > 0; --i) {
    const auto text = nasty.next();
    const auto json = compact(text);
    ASSERT_EQ(escape_terminal(json), json) << "something hidden was left";
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(json.c_str());
    ASSERT_FALSE(document.HasParseError()) << json;
    const std::string back(document.GetString(), document.GetStringLength());
    ASSERT_EQ(escape_terminal(back), escape_terminal(text));
  }
}

TEST(JsonWriter, LeavesInPieces) {
  JsonWriter json(JsonStyle::compact);
  json.begin_array().value(1);
  std::string out = json.take();
  EXPECT_EQ(json.size(), 0U);
  json.value(2).end_array();
  EXPECT_EQ(out + json.finish(), "[1,2]\n");
}

}  // namespace
}  // namespace flakestat::text
