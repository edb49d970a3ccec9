#include "store/ledger_codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSample =
    R"({"tests/test_a.py::test_x[1]":{"flaky":7,"failed":2,"last_epoch":1783850000,"last_failed_epoch":1783760000}})";

LedgerFile parsed(std::string_view json) {
  auto ledger = parse_ledger(json, "flakes.json");
  EXPECT_TRUE(ledger) << ledger.error().message;
  return ledger ? *ledger : LedgerFile{};
}

Error refused(std::string_view json) {
  auto ledger = parse_ledger(json, "flakes.json");
  EXPECT_FALSE(ledger.ok()) << json;
  return ledger ? Error{} : ledger.error();
}

TEST(LedgerCodec, ReadsAndWritesTheDocumentedShape) {
  const auto ledger = parsed(kSample);
  ASSERT_EQ(ledger.tests.size(), 1u);
  EXPECT_EQ(ledger.tests.at("tests/test_a.py::test_x[1]"), (LedgerEntry{7, 2, 1783850000, 1783760000}));
  const auto inner = std::string(kSample.substr(1, kSample.size() - 2));
  EXPECT_EQ(encode_ledger(ledger), "{\n" + inner + "\n}\n");
}

TEST(LedgerCodec, ALedgerWithoutTestsIsAnEmptyObject) {
  EXPECT_EQ(encode_ledger({}), "{}\n");
  EXPECT_TRUE(parsed("{}").tests.empty());
  EXPECT_TRUE(parsed("\xef\xbb\xbf{ }\n").tests.empty());
}

TEST(LedgerCodec, AbsentAndNullNumbersAreZeroAndFractionsOfASecondAreCut) {
  const auto ledger = parsed(R"({"a":{"flaky":3},"b":{"failed":1,"last_epoch":17.9,"last_failed_epoch":null}})");
  EXPECT_EQ(ledger.tests.at("a"), (LedgerEntry{3, 0, 0, 0}));
  EXPECT_EQ(ledger.tests.at("b"), (LedgerEntry{0, 1, 17, 0}));
}

TEST(LedgerCodec, UnknownKeysAreKept) {
  const auto ledger =
      parsed(R"({"schema":[1,{"x":null}],"a":{"note":{"why":"q\"\u0007"},"flaky":1,"rate":0.25},"z":"text"})");
  EXPECT_EQ(encode_ledger(ledger),
            "{\n\"schema\":[1,{\"x\":null}],\n\"z\":\"text\",\n"
            "\"a\":{\"flaky\":1,\"failed\":0,\"last_epoch\":0,\"last_failed_epoch\":0,"
            "\"note\":{\"why\":\"q\\\"\\u0007\"},\"rate\":0.25}\n}\n");
}

TEST(LedgerCodec, HostileIdsComeBackAsTheyWere) {
  LedgerFile ledger;
  for (const auto& id :
       {std::string("a\0b", 3), std::string("\x1b[31mred\x1b[0m"), std::string("quote\"back\\slash"),
        std::string("line\nfeed"), std::string("../../etc/passwd"), std::string(), std::string("<<<<<<< ours"),
        std::string("\xe2\x80\xae"
                    "bidi"),
        std::string("runs"), std::string("version")})
    ledger.tests[id] = {1, 2, 3, 4};
  const auto text = encode_ledger(ledger);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(parsed(text).tests, ledger.tests);
  EXPECT_FALSE(holds_ledger_runs(text));
}

TEST(LedgerCodec, WhatIsNoLedgerIsDamagedAndSaysWhy) {
  for (const auto* json : {"", "[]", "7", "{\"a\":", "{\"a\":{\"flaky\":1}", "\"x\"", "{\"a\":{\"flaky\":\"1\"}}",
                           "{\"a\":{\"flaky\":-1}}", "{\"a\":{\"flaky\":true}}", "{\"a\":{\"last_epoch\":1e300}}",
                           "{\"a\":{\"last_epoch\":18446744073709551615}}", "{\"\xff\":{}}"}) {
    const auto error = refused(json);
    EXPECT_EQ(error.kind, ErrorKind::damaged) << json;
    EXPECT_THAT(error.message, HasSubstr("flakes.json: "));
  }
  EXPECT_THAT(refused(R"({"a":{"flaky":-1}})").message, HasSubstr(R"(test "a": "flaky" is no number)"));
}

TEST(LedgerCodec, TheHalvesOfABadMergeAreNotGuessedAt) {
  EXPECT_THAT(refused(R"({"a":{"flaky":1},"a":{"flaky":2}})").message, HasSubstr("\"a\" is there twice"));
  EXPECT_THAT(refused(R"({"a":{"flaky":1,"flaky":2}})").message, HasSubstr("\"flaky\" is there twice"));
  EXPECT_THAT(refused("{\n<<<<<<< ours\n\"a\":{}\n}").message, HasSubstr("not valid JSON"));
}

TEST(LedgerCodec, DeepNestingIsRefusedNotRecursedInto) {
  const auto deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_EQ(refused(deep).kind, ErrorKind::damaged);
}

TEST(LedgerCodec, CutAnywhereItIsDamagedNeverShorter) {
  LedgerFile ledger;
  for (int i = 0; i < 5; ++i) ledger.tests["t" + std::to_string(i)] = {1, 0, 1783850000 + i, 0};
  auto text = encode_ledger(ledger);
  text.pop_back();
  for (std::size_t size = 0; size < text.size(); ++size)
    ASSERT_FALSE(parse_ledger(text.substr(0, size), "flakes.json").ok()) << size;
}

TEST(LedgerRunsCodec, RunsComeBackAsTheyWere) {
  const LedgerRuns runs{{"r1", {{"a", {1, 0, 10, 0}}, {"b", {0, 1, 11, 11}}}}, {"r2", {}}};
  const auto text = encode_ledger_runs(runs);
  EXPECT_EQ(text, R"({"version":1,"runs":{"r1":{"a":{"flaky":1,"failed":0,"last_epoch":10,"last_failed_epoch":0},)"
                  R"("b":{"flaky":0,"failed":1,"last_epoch":11,"last_failed_epoch":11}},"r2":{}}})"
                  "\n");
  auto again = parse_ledger_runs(text, "x");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, runs);
  EXPECT_TRUE(holds_ledger_runs(text));
}

TEST(LedgerRunsCodec, ANewerVersionIsRefusedByName) {
  const auto runs = parse_ledger_runs(R"({"version":2,"runs":{}})", "x");
  ASSERT_FALSE(runs.ok());
  EXPECT_EQ(runs.error().kind, ErrorKind::config);
  EXPECT_THAT(runs.error().message, HasSubstr("version 2"));
}

TEST(LedgerRunsCodec, WhatIsNoneIsDamaged) {
  for (const auto* json :
       {"{}", "{\"version\":1}", "{\"version\":1,\"runs\":[]}", "{\"version\":1,\"runs\":{\"r\":1}}",
        "{\"version\":1,\"runs\":{\"r\":{\"a\":1}}}", "{\"version\":1,\"runs\":{\"r\":{},\"r\":{}}}"}) {
    const auto runs = parse_ledger_runs(json, "x");
    ASSERT_FALSE(runs.ok()) << json;
    EXPECT_EQ(runs.error().kind, ErrorKind::damaged) << json;
  }
}

}  // namespace
}  // namespace flakestat::store
