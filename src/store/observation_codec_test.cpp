// Encoder and decoder against each other, and the decoder against lines that are not ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>
#include <string>
#include <vector>

#include "store/log_fixture.hpp"
#include "store/observation_encoder.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

std::string encode(const Observation& o) {
  ObservationEncoder encoder;
  std::string line;
  encoder.append(line, o);
  return line;
}

Observation copy(const ObservationView& v) {
  Observation o;
  o.ts = v.ts;
  o.run_id = v.run_id;
  o.commit = v.commit;
  o.code = v.code == v.commit ? std::string_view() : v.code;
  o.branch = v.branch;
  o.source = v.source;
  o.attempt = v.attempt;
  o.repetition = v.repetition;
  o.test_id = v.test_id;
  o.suite = v.suite;
  o.class_name = v.class_name;
  o.name = v.name;
  o.status = v.status;
  o.raw_status = v.raw_status;
  o.file = v.file;
  o.duration_ms = v.duration_ms;
  o.message = v.message;
  o.known_flaky = v.known_flaky;
  o.quarantined = v.quarantined;
  o.would_sanitise = v.would_sanitise;
  o.partial = v.partial;
  o.ambiguous = v.ambiguous;
  o.contended = v.contended;
  o.isolation = v.isolation;
  o.sanitised_assumption = v.sanitised_assumption;
  o.sanitised_detail = v.sanitised_detail;
  for (const auto& [key, value] : v.dimensions) o.dimensions[std::string(key)] = value;
  o.artifact = v.artifact;
  o.exec_key = v.exec_key;
  return o;
}

std::vector<Observation> decode(std::string_view text) {
  std::vector<Observation> found;
  const auto stats = read_log_bytes(text, [&](const ObservationView& view) { found.push_back(copy(view)); });
  EXPECT_EQ(stats.accounted(), text.size());
  return found;
}

// The only record of a text.
Observation decode_one(std::string_view text) {
  const auto found = decode(text);
  EXPECT_EQ(found.size(), 1u) << text;
  return found.empty() ? Observation{} : found.front();
}

Observation full() {
  auto o = observation("test_login[oauth]");
  o.code = "abc123+5f1e0c3a";
  o.source = Source::hunt;
  o.attempt = 3;
  o.repetition = 7;
  o.status = Status::skip;
  o.raw_status = Status::fail;
  o.file = "tests/test_auth.py";
  o.duration_ms = 0;
  o.message = "connect to \"db\"\\: refused \xE2\x80\xA6";
  o.known_flaky = o.quarantined = o.would_sanitise = o.partial = o.ambiguous = o.contended = true;
  o.isolation = "fs,tmp,pid";
  o.sanitised_assumption = "network";
  o.sanitised_detail = "db:5432: no route to host";
  return o;
}

TEST(ObservationCodec, EveryFieldComesBack) {
  const auto line = encode(full());
  EXPECT_EQ(encode(decode_one(line)), line);
  EXPECT_THAT(line, HasSubstr(R"("attempt":3,"repetition":7,"test_id":)"));
  EXPECT_THAT(line, HasSubstr(R"("status":"skip","raw_status":"fail")"));
  EXPECT_THAT(line,
              HasSubstr(R"("known_flaky":true,"quarantined":true,"would_sanitise":true,)"
                        R"("sanitised":{"assumption":"network","detail":"db:5432: no route to host"},)"
                        R"("partial":true,"ambiguous":true,"contended":true,"isolation":"fs,tmp,pid","dimensions":{)"));
}

TEST(ObservationCodec, WhatIsEmptyIsAbsent) {
  Observation o;
  o.name = "t";
  o.test_id = test_id("", "", "t");
  EXPECT_EQ(encode(o), R"({"ts":"1970-01-01T00:00:00.000Z","source":"ci","attempt":0,"test_id":")" + to_hex(o.test_id) +
                           "\",\"name\":\"t\",\"status\":\"pass\"}\n");
}

TEST(ObservationCodec, CodeIsLeftOutWhenItIsTheCommitAndReadAsTheCommit) {
  auto o = observation("a");
  o.code = o.commit;
  EXPECT_THAT(encode(o), Not(HasSubstr("\"code\"")));
  std::string code;
  (void)read_log_bytes(encode(o), [&](const ObservationView& view) { code = view.code; });
  EXPECT_EQ(code, "abc123");
}

TEST(ObservationCodec, ARecordIsOneLineOfValidUtf8WhateverTheNamesHold) {
  std::mt19937 random(5);
  ObservationEncoder shared;
  for (int i = 0; i < 2000; ++i) {
    const auto nasty = [&] {
      static constexpr std::string_view kTricky = "\"\\\x7f\xc3\xff\xed\xa0\n";
      std::string text(random() % 40, '\0');
      for (auto& c : text) {
        const auto kind = random() % 3;
        c = kind == 0   ? static_cast<char>(random() % 32)
            : kind == 1 ? kTricky[random() % kTricky.size()]
                        : static_cast<char>(random() % 256);
      }
      return text;
    };
    auto o = observation(nasty());
    o.suite = nasty();
    o.message = nasty();
    o.branch = nasty();
    o.dimensions = {{nasty() + "k", nasty()}};
    std::string line;
    shared.append(line, o);
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    ASSERT_TRUE(simdjson::validate_utf8(line));
    const auto back = decode_one(line);
    if (simdjson::validate_utf8(o.name)) {
      ASSERT_EQ(back.name, o.name);
    }
    ASSERT_EQ(encode(back), line) << "what was shared with the line before must not show";
  }
}

TEST(ObservationCodec, BrokenBytesBecomeReplacementCharacters) {
  auto o = observation("a");
  o.name = "caf\xE9 \xED\xA0\x80.";
  EXPECT_EQ(decode_one(encode(o)).name, "caf\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD.");
}

TEST(ObservationCodec, TimesOfAllYearsComeBack) {
  ObservationEncoder shared;
  for (const UnixMillis ts :
       {UnixMillis{0}, UnixMillis{-1}, UnixMillis{-86'400'000}, UnixMillis{951'782'399'999},
        UnixMillis{253'402'300'799'999}, UnixMillis{-62'167'219'200'000}, UnixMillis{1'786'960'800'123}}) {
    auto o = observation("a", ts);
    std::string line;
    shared.append(line, o);
    EXPECT_EQ(decode_one(line).ts, ts);
    EXPECT_THAT(line, HasSubstr(format_utc(ts)));
  }
}

TEST(ObservationCodec, AnyOrderOfKeysAndUnknownKeysAreRead) {
  const auto o =
      decode_one(R"( { "x":{"deep":[[[{"status":"fail"}]]]}, "status" : "fail","name":"n","y":[1,2,{}],"z":null,)"
                 R"( "suite":"s" , "class":"c","duration_ms":12.6,"ts":"2026-07-01T10:00:00Z"}  )"
                 "\n");
  EXPECT_EQ(o.name, "n");
  EXPECT_EQ(o.status, Status::fail);
  EXPECT_EQ(o.duration_ms, 13);
  EXPECT_EQ(o.test_id, test_id("s", "c", "n"));
}

TEST(ObservationCodec, WrongTypesOfOptionalKeysAreAsIfAbsent) {
  const auto o =
      decode_one(R"({"ts":17,"run_id":null,"commit":[],"branch":{},"source":"x","attempt":"1","repetition":-4,)"
                 R"("test_id":12,"suite":1,"class":false,"name":"n","status":"error","file":3,"duration_ms":"4",)"
                 R"("message":{},"known_flaky":"yes","sanitised":1,"dimensions":[],"artifact":7,"exec_key":{}})"
                 "\n");
  EXPECT_EQ(o.test_id, test_id("", "", "n"));
  EXPECT_EQ(o.attempt, 0);
  EXPECT_EQ(o.duration_ms, std::nullopt);
  EXPECT_FALSE(o.known_flaky);
  EXPECT_TRUE(o.exec_key.empty());
}

TEST(ObservationCodec, OddValuesOfDimensionsAreKeptAsText) {
  std::vector<std::pair<std::string, std::string>> found;
  std::string raw;
  (void)read_log_bytes(
      R"({"name":"n","status":"pass","dimensions":{"n":3,"b":true,"e":"","z":null,"o":{"a":1},"\u0061":"\"q\""}})",
      [&](const ObservationView& view) {
        for (const auto& [key, value] : view.dimensions) found.emplace_back(key, value);
        raw = view.dimensions_raw;
      });
  EXPECT_THAT(found, ElementsAre(Pair("n", "3"), Pair("b", "true"), Pair("a", "\"q\"")));
  EXPECT_EQ(raw, R"({"n":3,"b":true,"e":"","z":null,"o":{"a":1},"\u0061":"\"q\""})");
}

TEST(ObservationCodec, OnlyIdentityAndStatusAreNeeded) {
  EXPECT_EQ(decode(R"({"test_id":"0123456789abcdef","status":"pass"})").size(), 1u);
  EXPECT_EQ(decode(R"({"name":"","status":"pass"})").size(), 1u);
  EXPECT_EQ(decode(R"({"test_id":"0123456789abcde","status":"pass"})").size(), 0u);
  EXPECT_EQ(decode(R"({"name":"n","status":"flaky"})").size(), 0u);
  EXPECT_EQ(decode(R"({"name":"n"})").size(), 0u);
}

TEST(ObservationCodec, AnIdThatIsNoneIsComputedFromTheNames) {
  EXPECT_EQ(decode_one(R"({"test_id":"zz","suite":"s","class":"s","name":"t","status":"pass"})").test_id,
            TestId{0xe12be88245622a3c});
}

TEST(ObservationCodec, WhatNeighboursShareIsNotMixedUp) {
  // Each line differs from the one before in one thing that the reader remembers.
  std::vector<Observation> all;
  const auto add = [&](auto change) {
    auto o = all.empty() ? observation("a") : all.back();
    change(o);
    all.push_back(o);
  };
  add([](Observation&) {});
  add([](Observation& o) { o.attempt = 1; });
  add([](Observation& o) { o.attempt = 10; });
  add([](Observation& o) { o.repetition = 1; });
  add([](Observation& o) { o.repetition = 0; });
  add([](Observation& o) { o.code = "other"; });
  add([](Observation& o) { o.commit.clear(); });
  add([](Observation& o) { o.run_id.clear(), o.code.clear(), o.branch.clear(); });
  add([](Observation& o) { o.branch = "main\\\"x"; });
  add([](Observation& o) { o.dimensions["os"] = "linux2"; });
  add([](Observation& o) { o.dimensions["os"] = "li\"nux"; });
  add([](Observation& o) { o.dimensions = Dimensions{}; });
  add([](Observation& o) { o.dimensions["a"] = "b"; });
  add([](Observation& o) { o.ts += 86'400'000; });
  add([](Observation& o) { o.ts -= 1; });
  std::string text;
  ObservationEncoder encoder;
  for (const auto& o : all) encoder.append(text, o);
  std::string back;
  for (const auto& o : decode(text)) encoder.append(back, o);
  EXPECT_EQ(back, text);
}

TEST(ObservationCodec, AJobIsOnlyTakenOverWhenItIsTheSameText) {
  const auto found = decode(
      "{\"ts\":\"2026-07-01T10:00:00.000Z\",\"run_id\":\"r\",\"attempt\":1,\"test_id\":\"0123456789abcdef\",\"status\":"
      "\"pass\"}\n"
      "{\"commit\":\"b\",\"ts\":\"2026-07-01T10:00:00.000Z\",\"run_id\":\"r\",\"attempt\":1,\"test_id\":"
      "\"0123456789abcdef\",\"status\":\"pass\"}\n"
      "{\"ts\":\"2026-07-01T10:00:00.000Z\",\"run_id\":\"r\",\"attempt\":12,\"test_id\":\"0123456789abcdef\","
      "\"status\":\"pass\"}\n"
      "{\"ts\":\"2026-07-01T10:00:00.000Z\",\"suite\":\"s\",\"run_id\":\"q\",\"test_id\":\"0123456789abcdef\","
      "\"status\":\"pass\"}\n"
      "{\"ts\":\"2026-07-01T10:00:00.000Z\",\"run_id\":\"q\",\"test_id\":\"0123456789abcdef\",\"status\":\"pass\"}\n");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[1].commit, "b");
  EXPECT_EQ(found[2].attempt, 12);
  EXPECT_EQ(found[3].suite, "s");
  EXPECT_EQ(found[4].suite, "");
  EXPECT_EQ(found[4].run_id, "q");
}

TEST(ObservationCodec, EscapesAreUndoneAndLoneSurrogatesReplaced) {
  EXPECT_EQ(decode_one(R"({"name":"\u00e9\n\u0000\ud83d\ude00\ud800!","status":"pass"})").name,
            std::string("\xC3\xA9\n\0\xF0\x9F\x98\x80\xEF\xBF\xBD!", 12));
  EXPECT_TRUE(decode(R"({"name":"\q","status":"pass"})").empty());
}

TEST(ObservationCodec, DepthAndHugeNumbersAreHarmless) {
  const std::string deep(500'000, '[');
  EXPECT_EQ(decode_one("{\"x\":" + deep + std::string(deep.size(), ']') +
                       R"(,"name":"n","status":"pass","duration_ms":)" + std::string(400, '9') + R"(,"attempt":1e999})")
                .duration_ms,
            std::nullopt);
  EXPECT_TRUE(decode("{\"x\":" + deep).empty());
}

TEST(ObservationCodec, ThePredecessorsLogIsReadWithTheSameIds) {
  const auto text = testing::slurp(std::string(FLAKESTAT_SOURCE_DIR) + "/tests/data/predecessor_runs.ndjson");
  const auto found = decode(text);
  ASSERT_EQ(found.size(), 6u);
  for (const auto& o : found) EXPECT_EQ(o.test_id, test_id(o.suite, o.class_name, o.name));
  EXPECT_EQ(to_hex(found[0].test_id), "4e9290bb4d9fcbbb");
  EXPECT_EQ(to_hex(found[3].test_id), "e12be88245622a3c");
  EXPECT_EQ(to_hex(found[4].test_id), "48d371b2bde1c437");
  EXPECT_EQ(format_utc(found[0].ts), "2026-07-01T10:00:00.123Z");
  EXPECT_EQ(format_utc(found[2].ts), "2026-07-01T10:00:07.000Z");
  EXPECT_EQ(format_utc(found[4].ts), "2026-07-01T10:05:01.250Z");
  EXPECT_EQ(found[1].attempt, 2);
  EXPECT_TRUE(found[3].known_flaky);
  EXPECT_EQ(found[4].message, "boom: \"quoted\" \\ tab\t<&>");
}

}  // namespace
}  // namespace flakestat::store
