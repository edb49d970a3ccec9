#include "store/hunt_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;

RecordedRun run(int number, bool failed = false) {
  RecordedRun run;
  run.run = number;
  run.failed = failed;
  run.code = failed ? 1 : 0;
  run.started = 1'781'000'000'000 + number;
  run.wall_ms = 12;
  return run;
}

HuntRecord record() {
  HuntRecord record;
  record.run_id = "20260609T101320-9f2ac1";
  record.started = 1'781'000'000'000;
  record.code = "abc123+5f1e0c3a";
  record.directory = "/home/me/shop";
  record.junit = "out-{run}.xml";
  record.timeout_ms = 90'000;
  record.variables = {{"FLAKESTAT_RUN", "{run}"}};
  record.recorded = {{"TZ", "Europe/Berlin"}, {"PYTHONHASHSEED", std::nullopt}};
  record.commands = {{{"pytest", "-k", "not slow", "--junitxml={junit}"}, false, {}}};
  return record;
}

TEST(HuntRecord, WhatWasWrittenIsRead) {
  auto written = record();
  written.ended = true;
  add_run(written, run(1), std::nullopt, {});
  add_run(written, run(2, true), RecordedCommand{{"pytest", "a::b"}, true, {"a::b"}}, {});
  written.runs.back().isolation = "fs,tmp,pid";
  const auto read = parse_hunt(encode_hunt(written), "h.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, written);
}

TEST(HuntRecord, BytesThatAreNoTextComeBackAsTheyWere) {
  auto written = record();
  written.commands[0].argv = {"run\xff", "\x1b[31m", "\xc3\xa9", "{\"hex\": 1}", ""};
  written.directory = "/tmp/\xfe";
  written.recorded = {{"A", "\x80 b"}, {"EMPTY", ""}};
  const auto json = encode_hunt(written);
  EXPECT_THAT(json, HasSubstr("{\"hex\":\"72756eff\"}"));
  const auto read = parse_hunt(json, "h.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, written);
}

TEST(HuntRecord, RunsWithoutACommandOfTheirOwnRanTheFirst) {
  auto hunt = record();
  add_run(hunt, run(1), std::nullopt, {});
  EXPECT_EQ(hunt.runs[0].command, 0U);
}

TEST(HuntRecord, OneCommandOfSeveralRunsIsKeptOnce) {
  auto hunt = record();
  const RecordedCommand own{{"pytest", "a::b"}, true, {"a::b"}};
  add_run(hunt, run(1), own, {});
  add_run(hunt, run(2), own, {});
  EXPECT_EQ(hunt.commands.size(), 2U);
  EXPECT_EQ(hunt.runs[1].command, 1U);
}

TEST(HuntRecord, RunsThatEndInAnotherOrderAreListedByNumber) {
  auto hunt = record();
  for (const int number : {1, 4, 2, 3}) add_run(hunt, run(number), std::nullopt, {});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(hunt.runs[static_cast<std::size_t>(i)].run, i + 1);
}

TEST(HuntRecord, OldPassesGoFirstAndAreCounted) {
  auto hunt = record();
  const RecordRoom room{8, 1000};
  for (int number = 1; number <= 9; ++number) add_run(hunt, run(number, number <= 2), std::nullopt, room);
  EXPECT_EQ(hunt.left_out, 3U);
  ASSERT_EQ(hunt.runs.size(), 6U);
  EXPECT_NE(find_run(hunt, 1), nullptr);
  EXPECT_NE(find_run(hunt, 2), nullptr);
  EXPECT_EQ(find_run(hunt, 3), nullptr);
  EXPECT_NE(find_run(hunt, 9), nullptr);
}

TEST(HuntRecord, FailuresGoWhenThereIsNothingElse) {
  auto hunt = record();
  for (int number = 1; number <= 9; ++number) add_run(hunt, run(number, true), std::nullopt, {8, 1000});
  EXPECT_EQ(hunt.left_out, 3U);
  EXPECT_EQ(hunt.runs.front().run, 4);
}

TEST(HuntRecord, ACommandWithoutRoomIsNotTakenForTheFirst) {
  auto hunt = record();
  add_run(hunt, run(1), RecordedCommand{{std::string(2000, 'x')}, true, {}}, {8, 1000});
  EXPECT_EQ(hunt.runs[0].command, std::nullopt);
  const auto read = parse_hunt(encode_hunt(hunt), "h.json");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->runs[0].command, std::nullopt);
}

TEST(HuntRecord, EveryCutOfAFileIsDamagedAndNamed) {
  auto hunt = record();
  add_run(hunt, run(1), std::nullopt, {});
  auto json = encode_hunt(hunt);
  json.pop_back();  // the line end
  for (std::size_t size = 0; size < json.size(); ++size) {
    const auto read = parse_hunt(std::string_view(json).substr(0, size), "h.json");
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_EQ(read.error().kind, ErrorKind::damaged);
    EXPECT_THAT(read.error().message, HasSubstr("h.json"));
  }
}

TEST(HuntRecord, FieldsOfAnotherTypeAreDamage) {
  auto json = encode_hunt(record());
  const auto at = json.find("\"ended\":false");
  json.replace(at, 13, "\"ended\":\"no\"");
  const auto read = parse_hunt(json, "h.json");
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("\"ended\""));
}

TEST(HuntRecord, ARunThatPointsNowhereIsDamage) {
  auto hunt = record();
  add_run(hunt, run(1), std::nullopt, {});
  hunt.runs[0].command = 7;
  EXPECT_FALSE(parse_hunt(encode_hunt(hunt), "h.json").ok());
}

TEST(HuntRecord, WhatNoCommandCouldBeGivenIsDamage) {
  const auto damaged = [](const std::string& from, const std::string& to) {
    auto json = encode_hunt(record());
    const auto at = json.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    json.replace(at, from.size(), to);
    const auto read = parse_hunt(json, "h.json");
    return !read.ok() && read.error().kind == ErrorKind::damaged;
  };
  EXPECT_FALSE(damaged("not slow", "so slow"));
  EXPECT_TRUE(damaged("not slow", "not\\u0000slow"));
  EXPECT_TRUE(damaged("\"not slow\"", "{\"hex\":\"6e00\"}"));
  EXPECT_TRUE(damaged("\"not slow\"", "{\"hex\":\"6e0\"}"));
  EXPECT_TRUE(damaged("/home/me/shop", "shop"));
  EXPECT_TRUE(damaged("90000", "0"));
  EXPECT_TRUE(damaged("\"TZ\"", "\"\""));
  EXPECT_TRUE(damaged("\"left_out\":0", "\"left_out\":-1"));
}

TEST(HuntRecord, ANewerVersionIsRefusedByName) {
  auto json = encode_hunt(record());
  json.replace(json.find("\"version\":1"), 11, "\"version\":2");
  const auto read = parse_hunt(json, "h.json");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, ErrorKind::config);
}

}  // namespace
}  // namespace flakestat::store
