#include "formats/start_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flakestat::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr UnixMillis kHour = 3'600'000;

UnixMillis at(std::string_view utc) { return *parse_rfc3339(utc); }

class StartTimes : public ::testing::Test {
 protected:
  void add(const std::string& suite, std::optional<UnixMillis> started, std::optional<double> ms, bool local = false) {
    Case c;
    c.suite = suite;
    c.started = started;
    c.started_is_local = local;
    c.duration_ms = ms;
    cases_.push_back(c);
  }

  std::vector<UnixMillis> starts() { return start_times(cases_, context_, notes_); }

  std::vector<Case> cases_;
  StartTimesContext context_{.modified = at("2026-08-17T10:30:00Z"), .now = at("2026-08-17T12:00:00Z")};
  std::vector<std::string> notes_;
};

TEST_F(StartTimes, CasesOfASuiteFollowEachOther) {
  const auto t = at("2026-08-17T10:00:00Z");
  add("s", t, 100);
  add("s", t, 250.6);
  add("s", t, 0);
  add("u", t, 5);
  EXPECT_THAT(starts(), ElementsAre(t, t + 100, t + 351, t));
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(StartTimes, UnknownDurationLeavesTheStampOfTheSuite) {
  const auto t = at("2026-08-17T10:00:00Z");
  add("s", t, 100);
  add("s", t, std::nullopt);
  add("s", t, 100);
  EXPECT_THAT(starts(), ElementsAre(t, t, t));
}

TEST_F(StartTimes, SkippedCaseWithoutTimeTookNone) {
  const auto t = at("2026-08-17T10:00:00Z");
  add("s", t, std::nullopt);
  cases_.back().status = Status::skip;
  add("s", t, 100);
  add("s", t, 100);
  EXPECT_THAT(starts(), ElementsAre(t, t, t + 100));
}

TEST_F(StartTimes, TestsThatRanSideBySideKeepTheStamp) {
  const auto t = at("2026-08-17T10:00:00Z");
  for (int i = 0; i < 3; ++i) add("s", t, 20 * 60'000);  // an hour of tests in a report written after half an hour
  EXPECT_THAT(starts(), ElementsAre(t, t, t));
}

TEST_F(StartTimes, StampsOfCasesAreTakenAsTheyAre) {
  const auto t = at("2026-08-17T10:00:00Z");
  add("s", t, 100);
  add("s", t + 40, 100);
  EXPECT_THAT(starts(), ElementsAre(t, t + 40));
}

TEST_F(StartTimes, WithoutStampItIsTheModificationTimeElseNow) {
  add("s", std::nullopt, 100);
  add("s", std::nullopt, 100);
  EXPECT_THAT(starts(), ElementsAre(context_.modified, context_.modified));
  const auto now = context_.now;
  context_.modified = 0;
  EXPECT_THAT(starts(), ElementsAre(now, now));
}

TEST_F(StartTimes, StampWithoutOffsetIsUtc) {
  const auto t = at("2026-08-17T04:00:00Z");
  context_.local_offset_minutes = 120;
  add("s", t, 100, true);
  EXPECT_THAT(starts(), ElementsAre(t));
}

TEST_F(StartTimes, StampWithoutOffsetIsLocalWhenItFitsTheModificationTime) {
  context_.local_offset_minutes = 120;
  add("s", at("2026-08-17T12:20:00Z"), 100, true);
  EXPECT_THAT(starts(), ElementsAre(at("2026-08-17T10:20:00Z")));
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("local time")));
}

TEST_F(StartTimes, WestOfGreenwichToo) {
  context_.local_offset_minutes = -7 * 60;
  add("s", at("2026-08-17T03:20:00Z"), 100, true);
  EXPECT_THAT(starts(), ElementsAre(at("2026-08-17T10:20:00Z")));
}

TEST_F(StartTimes, LocalIsDecidedForTheWholeReportByItsNewestStamp) {
  context_.local_offset_minutes = 120;
  add("a", at("2026-08-17T11:30:00Z"), 100, true);  // an hour before the report was written
  add("b", at("2026-08-17T12:29:00Z"), 100, true);
  EXPECT_THAT(starts(), ElementsAre(at("2026-08-17T09:30:00Z"), at("2026-08-17T10:29:00Z")));
}

TEST_F(StartTimes, LongLocalSuiteIsRecognisedByItsEnd) {
  context_.local_offset_minutes = 120;
  add("s", at("2026-08-17T11:29:00Z"), 3'600'000, true);
  EXPECT_THAT(starts(), ElementsAre(at("2026-08-17T09:29:00Z")));
}

TEST_F(StartTimes, UtcReadingWinsWhereBothFit) {
  context_.local_offset_minutes = 15;
  add("s", at("2026-08-17T10:30:00Z"), 100, true);
  EXPECT_THAT(starts(), ElementsAre(at("2026-08-17T10:30:00Z")));
}

TEST_F(StartTimes, StampWithOffsetIsNeverShifted) {
  context_.local_offset_minutes = 120;
  const auto t = at("2026-08-17T12:03:00Z");
  add("s", t, 100, false);
  EXPECT_THAT(starts(), ElementsAre(t));
}

TEST_F(StartTimes, StampsAheadOfNowAreClampedAndNoted) {
  add("s", context_.now + 24 * kHour, 100);
  add("t", context_.now + 4 * 60'000, 100);
  EXPECT_THAT(starts(), ElementsAre(context_.modified, context_.now + 4 * 60'000));
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("ahead of now")));
}

TEST_F(StartTimes, ModificationTimeAheadOfNowIsNotBelievedEither) {
  context_.modified = context_.now + kHour;
  add("s", context_.now + 2 * kHour, 100);
  add("t", std::nullopt, 100);
  EXPECT_THAT(starts(), ElementsAre(context_.now, context_.now));
}

TEST_F(StartTimes, AbsurdDurationsDoNotOverflow) {
  const auto t = at("2026-08-17T10:00:00Z");
  add("s", t, 1e300);
  add("s", t, 1e300);
  EXPECT_THAT(starts(), ElementsAre(t, t));
}

}  // namespace
}  // namespace flakestat::formats
