#include "store/durations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <thread>

#include "testing/temp_dir.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::slurp;
using testing::TempDir;

constexpr UnixMillis kNow = 1'783'850'000'123;
constexpr std::int64_t kDay = 86'400;

TEST(Durations, TheFirstPassIsTheDurationAndLaterOnesPullItThreeTenths) {
  Durations known;
  merge_into(known, {{"a.py::t", 2.0}}, kNow);
  EXPECT_EQ(known.at("a.py::t"), (TestDuration{2.0, kNow / 1000}));
  merge_into(known, {{"a.py::t", 4.0}}, kNow + 5000);
  EXPECT_EQ(known.at("a.py::t"), (TestDuration{2.6, kNow / 1000 + 5}));
}

TEST(Durations, SeveralExecutionsOfARunAreOne) {
  Durations once{{"t", {1, 0}}};
  Durations thrice = once;
  merge_into(once, {{"t", 2.0}}, kNow);
  merge_into(thrice, {{"t", 1.0}, {"t", 3.0}, {"t", 2.0}}, kNow);
  EXPECT_EQ(once, thrice);
}

TEST(Durations, WhatWasNotSeenFor90DaysIsForgotten) {
  const auto now = kNow / 1000;
  Durations known{{"old", {1, now - 90 * kDay - 1}}, {"kept", {1, now - 90 * kDay}}, {"back", {1, 5}}};
  merge_into(known, {{"back", 1.0}}, kNow);
  EXPECT_EQ(known.size(), 2U);
  EXPECT_TRUE(known.contains("kept") && known.contains("back"));
}

TEST(Durations, AClockThatWasAheadDoesNotKeepATestForEver) {
  Durations known{{"ahead", {1, INT64_MAX}}};
  merge_into(known, {}, kNow);
  EXPECT_EQ(known.at("ahead").last_epoch, kNow / 1000);
}

TEST(Durations, NonsenseIsLeftOut) {
  Durations known;
  const std::string longer(5000, 'x');
  merge_into(known, {{"a", -1}, {"b", std::numeric_limits<double>::quiet_NaN()}, {"c", 1e300}, {longer, 1}}, kNow);
  EXPECT_THAT(known, IsEmpty());
}

TEST(Durations, BeyondTwoMillionTestsTheOldestGo) {
  Durations known;
  const auto now = kNow / 1000;
  for (int i = 0; i < 2'000'003; ++i)
    known.emplace_hint(known.end(), std::to_string(10'000'000 + i), TestDuration{1, now - (i < 10 ? 9 : 1)});
  merge_into(known, {{"new", 1.0}}, kNow);
  EXPECT_EQ(known.size(), 2'000'000U);
  EXPECT_TRUE(known.contains("new"));
  EXPECT_TRUE(known.contains("12000002"));
  int old = 0;
  for (int i = 0; i < 10; ++i) old += known.contains(std::to_string(10'000'000 + i)) ? 1 : 0;
  EXPECT_EQ(old, 6);
}

TEST(Durations, WhatIsMergedIsReadAgain) {
  const TempDir dir;
  const auto state = dir.file("new/.flakestat");
  const std::string odd = "t/\xc3\xa9.py::t[\"\\\x1b[31m\xE2\x80\xAE]";
  ASSERT_TRUE(merge_durations(state, {{odd, 0.123456}, {"b.py::t", 3}}, kNow));
  const auto read = read_durations(state);
  EXPECT_THAT(read.notes, IsEmpty());
  EXPECT_EQ(read.tests, (Durations{{odd, {0.1235, kNow / 1000}}, {"b.py::t", {3, kNow / 1000}}}));
  EXPECT_EQ(slurp(state + "/durations.json").find('\x1b'), std::string::npos);
}

TEST(Durations, TheFormOfTheFile) {
  EXPECT_EQ(encode_durations({{"b", {0.5, 7}}, {"a", {2, 8}}}),
            R"({"version":1,"tests":{"a":{"seconds":2,"last_epoch":8},"b":{"seconds":0.5,"last_epoch":7}}})"
            "\n");
}

TEST(Durations, NoFileAndNothingPassedIsNothing) {
  const TempDir dir;
  EXPECT_THAT(read_durations(dir.file("none")).tests, IsEmpty());
  EXPECT_THAT(read_durations(dir.file("none")).notes, IsEmpty());
  ASSERT_TRUE(merge_durations(dir.file("none"), {}, kNow));
  EXPECT_FALSE(std::filesystem::exists(dir.file("none")));
}

TEST(Durations, ADamagedFileIsIgnoredWithANoteAndReplaced) {
  const std::string whole = encode_durations({{"a", {1, 1}}, {"b", {2, 2}}});
  std::vector<std::string> wrong{"",
                                 "nonsense",
                                 "[]",
                                 "{}",
                                 R"({"version":1})",
                                 R"({"version":1,"tests":[]})",
                                 R"({"version":0,"tests":{}})",
                                 std::string(100'000, '[')};
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) wrong.push_back(whole.substr(0, size));
  for (const auto& json : wrong) {
    const TempDir dir;
    dir.write("durations.json", json);
    const auto read = read_durations(dir.path());
    EXPECT_THAT(read.tests, IsEmpty()) << json;
    EXPECT_THAT(read.notes, ElementsAre(HasSubstr("durations.json is ignored: ")));
    const auto merged = merge_durations(dir.path(), {{"c", 1}}, kNow);
    ASSERT_TRUE(merged);
    EXPECT_THAT(*merged, ElementsAre(HasSubstr("the next run replaces it")));
    EXPECT_EQ(read_durations(dir.path()).tests.size(), 1U);
  }
}

TEST(Durations, EntriesThatAreNoneLeaveTheOthers) {
  const TempDir dir;
  dir.write(
      "durations.json",
      R"({"version":1,"more":[],"tests":{"a":7,"b":{"seconds":"x","last_epoch":1},"c":{"seconds":1},)"
      R"("d":{"seconds":-1,"last_epoch":1},"e":{"seconds":1,"last_epoch":1,"more":2},"e":{"seconds":3,"last_epoch":1}}})");
  EXPECT_EQ(read_durations(dir.path()).tests, (Durations{{"e", {3, 1}}}));
}

TEST(Durations, ANewerVersionIsLeftAsItIs) {
  const TempDir dir;
  const std::string newer = R"({"version":2,"tests":{}})";
  dir.write("durations.json", newer);
  EXPECT_THAT(read_durations(dir.path()).notes, ElementsAre(HasSubstr("version 2 is not known to this flakestat")));
  ASSERT_TRUE(merge_durations(dir.path(), {{"c", 1}}, kNow));
  EXPECT_EQ(slurp(dir.file("durations.json")), newer);
}

TEST(Durations, NothingIsWrittenBehindALink) {
  const TempDir dir;
  const auto victim = dir.write("victim", "precious");
  std::filesystem::create_symlink(victim, dir.file("durations.json"));
  const auto merged = merge_durations(dir.path(), {{"c", 1}}, kNow);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().kind, ErrorKind::io);
  EXPECT_EQ(slurp(victim), "precious");
}

TEST(Durations, WritersAtTheSameTimeLoseNothing) {
  const TempDir dir;
  std::vector<std::thread> writers;
  for (int i = 0; i < 16; ++i) {
    writers.emplace_back([&dir, i] {
      const auto id = "t" + std::to_string(i);
      EXPECT_TRUE(merge_durations(dir.path(), {{id, 1.0}}, kNow));
    });
  }
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(read_durations(dir.path()).tests.size(), 16U);
}

}  // namespace
}  // namespace flakestat::store
