#include "store/ledger_sum.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace flakestat::store {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kNow = 1'783'850'000;
using Kind = LedgerEvent::Kind;

LedgerAge at(std::int64_t now, std::int64_t days = 90) { return {now, days * kDay}; }

LedgerTests one(std::uint64_t flaky, std::uint64_t failed, std::int64_t epoch) {
  return {{"t", {flaky, failed, epoch, failed > 0 ? epoch : 0}}};
}

TEST(LedgerSum, ARunCountsOnceForATestHoweverOftenItIsNamed) {
  const std::vector<LedgerEvent> events{
      {"a", Kind::flaky, 5}, {"a", Kind::flaky, 9}, {"a", Kind::failed, 7}, {"b", Kind::failed, -3}};
  const auto tests = tests_of(events);
  EXPECT_EQ(tests.at("a"), (LedgerEntry{1, 1, 9, 7}));
  EXPECT_EQ(tests.at("b"), (LedgerEntry{0, 1, 0, 0}));
}

TEST(LedgerSum, UnitingTwiceChangesNothing) {
  LedgerRuns runs{{"r1", one(1, 0, 5)}};
  const LedgerRuns more{{"r1", {{"t", {0, 1, 4, 4}}, {"u", {1, 0, 6, 0}}}}, {"r2", one(1, 0, 7)}};
  EXPECT_TRUE(unite(runs, more));
  EXPECT_FALSE(unite(runs, more));
  EXPECT_EQ(runs.at("r1").at("t"), (LedgerEntry{1, 1, 5, 4}));
  EXPECT_EQ(total(runs).at("t"), (LedgerEntry{2, 1, 7, 4}));
}

TEST(LedgerSum, AnEntryIsForgottenAfterTheRetentionAndNotOnItsLastDay) {
  const LedgerRuns runs{{"r", one(1, 0, kNow)}};
  EXPECT_EQ(remembered(runs, at(kNow + 90 * kDay)).size(), 1u);
  EXPECT_TRUE(remembered(runs, at(kNow + 90 * kDay + 1)).empty());
  EXPECT_EQ(remembered(runs, at(kNow + 3650 * kDay, 0)).size(), 1u);
}

TEST(LedgerSum, CountsStayAsLongAsTheTestKeepsFlaking) {
  LedgerRuns runs;
  for (int month = 0; month < 24; ++month) runs["r" + std::to_string(month)] = one(1, 0, kNow + month * 30 * kDay);
  EXPECT_EQ(remembered(runs, at(kNow + 24 * 30 * kDay)).at("t").flaky, 24u);
}

TEST(LedgerSum, WhatWasForgottenDoesNotComeBackWithTheNextEvent) {
  const LedgerRuns runs{{"a", one(7, 2, kNow)}, {"b", one(1, 0, kNow + 91 * kDay)}};
  EXPECT_EQ(remembered(runs, at(kNow + 92 * kDay)).at("t"), (LedgerEntry{1, 0, kNow + 91 * kDay, 0}));
  EXPECT_EQ(remembered(runs, at(kNow + 92 * kDay, 0)).at("t"), (LedgerEntry{8, 2, kNow + 91 * kDay, kNow}));
}

TEST(LedgerSum, EntriesWithoutADateNeverAge) {
  const LedgerRuns runs{{"a", one(3, 0, 0)}, {"b", one(1, 0, kNow)}};
  EXPECT_EQ(remembered({{"a", one(3, 0, 0)}}, at(kNow)).at("t").flaky, 3u);
  EXPECT_EQ(remembered(runs, at(kNow)).at("t").flaky, 4u);
}

TEST(LedgerSum, AClockThatIsAheadHidesNothing) {
  EXPECT_EQ(remembered({{"r", one(1, 0, kNow + 1000)}}, at(kNow)).size(), 1u);
}

TEST(LedgerSum, TheExcessBringsWhatIsKnownUpToTheLedger) {
  const LedgerTests ledger{
      {"more", {7, 2, 50, 40}}, {"equal", {1, 0, 9, 0}}, {"less", {1, 0, 3, 0}}, {"new", {1, 0, 4, 0}}};
  const LedgerTests known{{"more", {5, 2, 45, 40}}, {"equal", {1, 0, 9, 0}}, {"less", {2, 0, 9, 0}}};
  const auto beyond = excess(ledger, known);
  EXPECT_EQ(beyond, (LedgerTests{{"more", {2, 0, 50, 40}}, {"new", {1, 0, 4, 0}}}));
  EXPECT_TRUE(excess(ledger, total({{"known", known}, {"beyond", beyond}})).empty());
}

TEST(LedgerSum, CountsStopAtTheLargestNumber) {
  const auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(total({{"a", one(most, 0, 1)}, {"b", one(most, 0, 1)}}).at("t").flaky, most);
}

}  // namespace
}  // namespace flakestat::store
