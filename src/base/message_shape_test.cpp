#include "base/message_shape.hpp"

#include <gtest/gtest.h>

#include "base/clean_text.hpp"

namespace flakestat {
namespace {

TEST(MessageShape, NumbersAreEqual) {
  EXPECT_EQ(message_shape("expected 3 but got -4.50e-3"), "expected <n> but got <n>");
  EXPECT_EQ(message_shape("timeout after 5s on gw12"), "timeout after <n>s on gw<n>");
  EXPECT_EQ(message_shape("1,234.5 of 127.0.0.1:8080"), "<n> of <n>:<n>");
}

TEST(MessageShape, AddressesAndDigestsAreEqual) {
  EXPECT_EQ(message_shape("<Foo object at 0x7f3A99> died"), "<Foo object at <hex>> died");
  EXPECT_EQ(message_shape("commit deadbeef01 lost"), "commit <hex> lost");
  EXPECT_EQ(message_shape("defaced facade"), "defaced facade") << "words are no digests";
}

TEST(MessageShape, UuidsAreEqual) {
  EXPECT_EQ(message_shape("job 123e4567-e89b-12d3-a456-426614174000 failed"), "job <uuid> failed");
}

TEST(MessageShape, DatesAndTimesAreEqual) {
  EXPECT_EQ(message_shape("at 2026-08-17T10:00:00.123Z"), "at <time>");
  EXPECT_EQ(message_shape("at 2026-08-17 10:00:00+02:00, then 11:02"), "at <time>, then <time>");
  EXPECT_EQ(message_shape("[10:00:01,5] x"), "[<time>] x");
}

TEST(MessageShape, PathsAreEqual) {
  EXPECT_EQ(message_shape("No such file: '/tmp/pytest-12/a.txt'"), "No such file: '<path>'");
  EXPECT_EQ(message_shape("tests/api/test_a.py:12: boom."), "<path>:<n>: boom.");
  EXPECT_EQ(message_shape("C:\\Users\\me\\x.log missing in ~/work."), "<path> missing in <path>.");
  EXPECT_EQ(message_shape("and/or 3 / 4 = 1/2"), "and/or <n> / <n> = <n>/<n>") << "a slash alone makes no path";
}

TEST(MessageShape, UrlsKeepTheirWords) {
  EXPECT_EQ(message_shape("GET http://127.0.0.1:41231/v1/users/77 gave 503"),
            "GET http://<n>:<n>/v<n>/users/<n> gave <n>");
}

TEST(MessageShape, ColourDoesNotCount) {
  const std::string plain = "AssertionError: red is not 7";
  EXPECT_EQ(message_shape("\x1b[31mAssertionError:\x1b[0m red is \x1b[1;31mnot\x1b[0m 7"), message_shape(plain));
  EXPECT_EQ(message_shape("#x1B[31mAssertionError: red#x1B[0m is not 8"), message_shape(plain));
}

TEST(MessageShape, AnyBytesAreTaken) {
  EXPECT_EQ(message_shape(""), "");
  EXPECT_EQ(message_shape("日本 12 \xFF"), "日本 <n> \xEF\xBF\xBD");
  EXPECT_LE(message_shape(std::string(1 << 20, '1')).size(), kMessageLimit);
  EXPECT_FALSE(message_shape(std::string(1 << 20, '/')).empty());
}

}  // namespace
}  // namespace flakestat
