#include "rules/quarantine_review.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flakestat::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr UnixMillis kDayMillis = 86'400'000;
constexpr UnixMillis kNow = 1'781'000'000'000;  // 2026-06-09
constexpr std::chrono::milliseconds kRetention = std::chrono::days(90);

UnixMillis days_ago(int days) { return kNow - days * kDayMillis; }

KnownTest known(std::string_view name, Verdict verdict, UnixMillis first, UnixMillis pass, UnixMillis failure) {
  return {{{"s", "C", name, {}}, test_id("s", "C", name), {}}, verdict, first, pass, failure};
}

std::vector<std::string> kinds(const std::vector<Finding>& findings) {
  std::vector<std::string> out;
  for (const auto& one : findings) out.push_back(std::to_string(one.line) + " " + std::string(to_string(one.kind)));
  return out;
}

std::vector<std::string> reviewed(const std::string& text, const std::vector<KnownTest>& tests) {
  return kinds(review_entries(read_quarantine_document(text), tests, kNow, kRetention));
}

std::vector<std::string> mistakes(const std::string& text, const std::vector<KnownTest>& tests = {}) {
  return kinds(find_mistakes(read_quarantine_document(text), tests, day_of(kNow)));
}

const KnownTest kHealthy = known("busy", Verdict::stable, days_ago(300), days_ago(0), 0);

TEST(ReviewEntries, CleanPastRetentionIsRecovered) {
  EXPECT_THAT(reviewed("# c\nC::a\n", {known("a", Verdict::stable, days_ago(200), days_ago(1), days_ago(100))}),
              ElementsAre("2 recovered"));
}

TEST(ReviewEntries, AGreenRunAloneIsReportedButNotRecovered) {
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::insufficient_data, days_ago(0), days_ago(0), 0)}),
              ElementsAre("1 passing"));
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::stable, days_ago(200), days_ago(0), days_ago(20))}),
              ElementsAre("1 passing"));
}

TEST(ReviewEntries, TimeWithoutExecutionsHealsNothing) {
  // It passed for 10 days after its last failure, and has not run since, while others did.
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::stable, days_ago(300), days_ago(190), days_ago(200)), kHealthy}),
              ElementsAre("1 not-run"));
  // 15 days without results are enough.
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::stable, days_ago(300), days_ago(15), days_ago(200)), kHealthy}),
              ElementsAre("1 not-run"));
  // Nothing at all ran for months.
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::stable, days_ago(900), days_ago(300), days_ago(800))}),
              ElementsAre("1 not-run"));
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::always_skipped, days_ago(200), 0, 0), kHealthy}),
              ElementsAre("1 not-run"));
}

TEST(ReviewEntries, ATestThatIsStillFlakyIsNotRecovered) {
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::flaky, days_ago(200), days_ago(0), days_ago(100))}),
              ElementsAre("1 passing"));
}

TEST(ReviewEntries, AFailingTestKeepsItsEntryInSilence) {
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::flaky, days_ago(200), days_ago(1), days_ago(0))}), IsEmpty());
  EXPECT_THAT(reviewed("C::a\n", {known("a", Verdict::consistently_failing, days_ago(200), 0, days_ago(0))}),
              IsEmpty());
}

TEST(ReviewEntries, TheRetentionStartsWhenTheEntryWasAdded) {
  const std::vector<KnownTest> tests{known("a", Verdict::stable, days_ago(200), days_ago(0), 0)};
  EXPECT_THAT(reviewed("C::a # added=2026-06-01\n", tests), ElementsAre("1 passing"));
  EXPECT_THAT(reviewed("C::a # added=2026-01-01\n", tests), ElementsAre("1 recovered"));
}

TEST(ReviewEntries, AnEntryIsAsTheWorstOfItsTests) {
  const auto well = known("a1", Verdict::stable, days_ago(200), days_ago(0), 0);
  EXPECT_THAT(reviewed("C::a*\n", {well, known("a2", Verdict::flaky, days_ago(200), days_ago(1), days_ago(0))}),
              IsEmpty());
  EXPECT_THAT(reviewed("C::a*\n", {well, known("a2", Verdict::stable, days_ago(200), days_ago(0), 0)}),
              ElementsAre("1 recovered"));
}

TEST(ReviewEntries, UnknownAndExpiredAreNamed) {
  EXPECT_THAT(reviewed("C::gone # expires=2026-01-01\n", {kHealthy}), ElementsAre("1 expired", "1 unknown"));
}

TEST(FindMistakes, EachWithItsLine) {
  const std::string text =
      "# fine\nC::busy # owner=@a\nC::busy # owner=@b\nC::busy # when=os=mac\nC::busy # nonsense\n"
      "C::x # expires=2026-06-08\nC::y # expires=2099-01-01\n";
  EXPECT_THAT(mistakes(text), ElementsAre("3 duplicate", "5 unreadable", "6 expired", "7 too-long"));
  EXPECT_THAT(mistakes(text, {kHealthy}),
              ElementsAre("3 duplicate", "5 unreadable", "6 expired", "6 unknown", "7 too-long", "7 unknown"));
}

TEST(FindMistakes, TwoSpellingsOfOneTestAreADuplicate) {
  const auto id = to_hex(test_id("s", "C", "busy"));
  EXPECT_THAT(mistakes("C::busy\n" + id + "\nC.busy # when=os=mac\n", {kHealthy}), ElementsAre("2 duplicate"));
  EXPECT_THAT(mistakes("C::b*\nC::busy\n", {kHealthy}), IsEmpty());
}

TEST(FindMistakes, AGoodListHasNone) {
  EXPECT_THAT(mistakes("# c\n\nC::busy # expires=2026-06-09 reason=x\nC::busy # when=os=mac\n", {kHealthy}), IsEmpty());
}

}  // namespace
}  // namespace flakestat::rules
