#include "formats/observations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/exec_key.hpp"

namespace flakestat::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Case make_case(const std::string& name, Status status = Status::pass, const std::string& suite = "s") {
  Case c;
  c.suite = suite;
  c.class_name = "C";
  c.name = name;
  c.status = status;
  c.duration_ms = 100;
  return c;
}

class ToObservations : public ::testing::Test {
 protected:
  ToObservations() {
    context_.run_id = "run-1";
    context_.commit = "abc123";
    context_.branch = "main";
    context_.detected = {{"os", "linux"}, {"ci.run_id", "7"}};
    context_.path = "reports/a.xml";
    context_.digest = sha256("the bytes");
    context_.modified = *parse_rfc3339("2026-08-17T10:30:00Z");
    context_.now = *parse_rfc3339("2026-08-17T12:00:00Z");
  }

  std::vector<Observation> observations() {
    auto result = to_observations(cases_, summary_, context_);
    notes_ = result.notes;
    return std::move(result.observations);
  }

  std::multiset<std::string> keys() {
    std::multiset<std::string> out;
    for (const auto& o : observations()) out.insert(o.exec_key);
    return out;
  }

  std::vector<Case> cases_;
  JunitSummary summary_;
  ReportContext context_;
  std::vector<std::string> notes_;
};

TEST_F(ToObservations, PiecesConvertedApartEqualTheWhole) {
  for (int i = 0; i < 10'000; ++i) {
    cases_.push_back(make_case("t" + std::to_string(i % 4'000), i % 7 == 0 ? Status::fail : Status::pass));
    if (i % 50 == 0) cases_.back().later.resize(2);
  }
  const auto whole = observations();
  ReportConversion conversion(cases_, summary_, context_, 3);
  std::vector<Observation> pieces;
  for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 4'999}, {4'999, conversion.size()}}) {
    conversion.convert(begin, end, [&](const Observation& o) { pieces.push_back(o); });
  }
  ASSERT_EQ(pieces.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ASSERT_EQ(pieces[i].exec_key, whole[i].exec_key) << i;
    ASSERT_EQ(pieces[i].attempt, whole[i].attempt) << i;
    ASSERT_EQ(pieces[i].ambiguous, whole[i].ambiguous) << i;
  }
  EXPECT_EQ(conversion.notes(), notes_);
}

TEST_F(ToObservations, CarryWhatIsKnownOfTheReport) {
  cases_ = {make_case("t[1]", Status::fail)};
  cases_[0].file = "t.py";
  cases_[0].message = "boom";
  context_.code = "abc123+5f1e0c3a";
  const auto o = observations().at(0);
  EXPECT_EQ(o.run_id, "run-1");
  EXPECT_EQ(o.commit, "abc123");
  EXPECT_EQ(o.code, "abc123+5f1e0c3a");
  EXPECT_EQ(o.branch, "main");
  EXPECT_EQ(o.source, Source::ci);
  EXPECT_EQ(o.test_id, test_id("s", "C", "t[1]"));
  EXPECT_EQ(o.suite + "|" + o.class_name + "|" + o.name, "s|C|t[1]");
  EXPECT_EQ(o.status, Status::fail);
  EXPECT_EQ(o.file, "t.py");
  EXPECT_EQ(o.message, "boom");
  EXPECT_EQ(o.duration_ms, 100);
  EXPECT_EQ(o.ts, context_.modified);
  EXPECT_EQ(o.artifact, ReportKeys(context_.detected, "reports/a.xml", context_.digest).artifact());
  EXPECT_EQ(o.exec_key, ReportKeys(context_.detected, "reports/a.xml", context_.digest).exec_key(o.test_id, 0));
}

TEST_F(ToObservations, CodeIsLeftOutWhenItIsTheCommit) {
  cases_ = {make_case("t")};
  context_.code = context_.commit;
  EXPECT_EQ(observations().at(0).code, "");
}

TEST_F(ToObservations, PropertiesBeatDetectionAndFlagsBeatBoth) {
  cases_ = {make_case("t"), make_case("u")};
  cases_[0].properties = {{"os.name", "Windows"}, {"java.version", "21"}};
  context_.explicit_ones = {{"runtime.version", "22"}, {"db", "pg"}};
  const auto all = observations();
  EXPECT_THAT(all[0].dimensions,
              UnorderedElementsAre(Pair("os", "Windows"), Pair("ci.run_id", "7"), Pair("runtime.name", "java"),
                                   Pair("runtime.version", "22"), Pair("db", "pg")));
  EXPECT_EQ(all[1].dimensions.at("os"), "linux");
  EXPECT_NE(all[0].artifact, all[1].artifact);
}

TEST_F(ToObservations, ManyDifferentPropertiesStayCorrect) {
  for (int i = 0; i < 500; ++i) {
    cases_.push_back(make_case("t" + std::to_string(i)));
    cases_.back().properties = {{"os.name", "os" + std::to_string(i % 100)}};
  }
  const auto all = observations();
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].dimensions.at("os"), "os" + std::to_string(i % 100));
}

// --- attempts -------------------------------------------------------------------------------------------------------

TEST_F(ToObservations, KnownFlakyPassFollowsItsFailedAttempts) {
  auto c = make_case("t");
  c.known_flaky = true;
  c.earlier = {{Status::fail, "first"}, {Status::error, "second"}};
  cases_ = {c};
  const auto all = observations();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].status, Status::fail);
  EXPECT_EQ(all[0].message, "first");
  EXPECT_EQ(all[0].attempt, 0);
  EXPECT_FALSE(all[0].known_flaky);
  EXPECT_EQ(all[0].duration_ms, std::nullopt);
  EXPECT_EQ(all[1].status, Status::error);
  EXPECT_EQ(all[1].attempt, 1);
  EXPECT_EQ(all[2].status, Status::pass);
  EXPECT_EQ(all[2].attempt, 2);
  EXPECT_TRUE(all[2].known_flaky);
  EXPECT_EQ(all[2].duration_ms, 100);
  EXPECT_EQ(all[2].name, "t");
  EXPECT_EQ(keys().size(), 3u);
  EXPECT_EQ(std::set<std::string>({all[0].exec_key, all[1].exec_key, all[2].exec_key}).size(), 3u);
}

TEST_F(ToObservations, RerunFailuresAreLaterAttemptsOfAFinalFailure) {
  auto c = make_case("t", Status::fail);
  c.message = "first";
  c.later = {{Status::fail, "again"}, {Status::error, "and again"}};
  cases_ = {c};
  const auto all = observations();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].message, "first");
  EXPECT_EQ(all[0].duration_ms, 100);
  EXPECT_EQ(all[1].message, "again");
  EXPECT_EQ(all[2].status, Status::error);
  EXPECT_THAT((std::vector{all[0].attempt, all[1].attempt, all[2].attempt}), ElementsAre(0, 1, 2));
  EXPECT_EQ(all[2].name, "t");
}

TEST_F(ToObservations, CasesThatAreAttemptsAreCountedOn) {
  cases_ = {make_case("t", Status::fail), make_case("u"), make_case("t", Status::fail), make_case("t")};
  const auto all = observations();
  EXPECT_EQ(all[0].attempt, 0);
  EXPECT_EQ(all[2].attempt, 1);
  EXPECT_EQ(all[3].attempt, 2);
  EXPECT_FALSE(all[3].known_flaky);
  EXPECT_FALSE(all[3].ambiguous);
}

TEST_F(ToObservations, EmptyEarlierAttemptsAreAllStoredAndMarked) {
  cases_ = {make_case("t"), make_case("t"), make_case("t", Status::fail), make_case("u")};
  const auto all = observations();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_TRUE(all[0].ambiguous && all[1].ambiguous && all[2].ambiguous);
  EXPECT_FALSE(all[3].ambiguous);
  EXPECT_EQ(keys().size(), 4u);
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("1 name stands")));
  EXPECT_THAT(notes_.at(0), HasSubstr("C::t"));
}

// --- exactly the executions that happened ---------------------------------------------------------------------------

TEST_F(ToObservations, SameArtifactTwiceHasTheSameKeys) {
  cases_ = {make_case("t"), make_case("u", Status::fail)};
  const auto first = keys();
  context_.run_id = "another";
  context_.now += 1'000'000;
  context_.modified += 1'000'000;
  context_.commit = "def456";
  EXPECT_EQ(keys(), first);
}

TEST_F(ToObservations, CopyOfAReportWithTimestampsHasTheSameKeys) {
  cases_ = {make_case("t")};
  cases_[0].started = context_.modified - 1000;
  summary_.has_timestamps = true;
  const auto first = keys();
  context_.path = "reports/copy.xml";
  EXPECT_EQ(keys(), first);
}

TEST_F(ToObservations, CopyOfAReportWithoutTimestampsIsKept) {
  cases_ = {make_case("t")};
  const auto first = keys();
  context_.path = "reports/copy.xml";
  EXPECT_NE(keys(), first);
}

TEST_F(ToObservations, ShardsWithIdenticalBytesAreThreeExecutions) {
  cases_ = {make_case("t")};
  std::set<std::string> all;
  for (const auto* shard : {"0", "1", "2"}) {
    context_.detected["ci.shard"] = shard;
    for (const auto& key : keys()) all.insert(key);
  }
  EXPECT_EQ(all.size(), 3u);
}

TEST_F(ToObservations, CountTwelveIsTwelveExecutions) {
  for (int i = 0; i < 12; ++i) {
    cases_.push_back(make_case("TestA", i == 4 ? Status::fail : Status::pass, "pkg"));
    cases_.push_back(make_case("TestB", Status::pass, "pkg"));
  }
  const auto all = observations();
  const auto distinct = keys();
  EXPECT_EQ(std::set<std::string>(distinct.begin(), distinct.end()).size(), 24u);
  EXPECT_EQ(all[22].repetition, 11);
  EXPECT_EQ(all[22].attempt, 0);
  EXPECT_FALSE(all[8].ambiguous);
}

TEST_F(ToObservations, CountTwelveOfALoneTestIsTwelveExecutions) {
  for (int i = 0; i < 12; ++i) cases_.push_back(make_case("TestA", i == 4 ? Status::fail : Status::pass, "pkg"));
  const auto distinct = keys();
  EXPECT_EQ(std::set<std::string>(distinct.begin(), distinct.end()).size(), 12u);
}

// Two reports of one job, each with an attempt; only the suites carry times.
TEST_F(ToObservations, AttemptsInTwoFilesAreOrderedByTheirSuitesTimes) {
  auto failed = make_case("t", Status::fail);
  failed.started = *parse_rfc3339("2026-08-17T10:00:00Z");
  auto passed = make_case("t");
  passed.started = *parse_rfc3339("2026-08-17T10:01:00Z");
  summary_.has_timestamps = true;
  cases_ = {passed};
  const auto second = observations().at(0);
  context_.digest = sha256("other bytes");
  context_.path = "reports/b.xml";
  cases_ = {failed};
  const auto first = observations().at(0);
  EXPECT_LT(first.ts, second.ts);
  EXPECT_NE(first.exec_key, second.exec_key);
  EXPECT_EQ(first.test_id, second.test_id);
}

TEST_F(ToObservations, EqualSuiteNamesAndTimesInTwoFilesAreNoDuplicates) {
  summary_.has_timestamps = true;
  cases_ = {make_case("a")};
  cases_[0].started = context_.modified;
  const auto first = keys();
  cases_ = {make_case("b")};
  cases_[0].started = context_.modified;
  context_.digest = sha256("other bytes");
  EXPECT_NE(keys(), first);
}

TEST_F(ToObservations, EqualFileNamesInTwoFoldersAreTwoReports) {
  cases_ = {make_case("t")};
  context_.path = "a/TEST.xml";
  const auto first = keys();
  context_.path = "b/TEST.xml";
  EXPECT_NE(keys(), first);
}

// --- our own reports ------------------------------------------------------------------------------------------------

TEST_F(ToObservations, OwnReportKeepsItsKeysAndAddsNothing) {
  const auto id = test_id("s", "C", "t");
  auto c = make_case("t");
  c.run_id = "20260817T100000-9f2ac1";
  c.exec_key = run_exec_key(c.run_id, 0, 2, id);
  c.earlier = {{Status::fail, "first"}, {Status::fail, "second"}};
  cases_ = {c};
  const auto all = observations();
  ASSERT_EQ(all.size(), 3u);
  for (std::int32_t attempt = 0; attempt < 3; ++attempt) {
    const auto& o = all[static_cast<std::size_t>(attempt)];
    EXPECT_EQ(o.exec_key, run_exec_key(c.run_id, 0, attempt, id));
    EXPECT_EQ(o.run_id, c.run_id);
    EXPECT_EQ(o.artifact, "");
  }
}

TEST_F(ToObservations, FailedTriesBesideAForeignKeyGetStableKeysOfTheirOwn) {
  auto c = make_case("t");
  c.exec_key = "0123456789abcdef";
  c.earlier = {{Status::fail, "first"}};
  cases_ = {c};
  const auto all = observations();
  EXPECT_EQ(all.at(1).exec_key, "0123456789abcdef");
  EXPECT_NE(all.at(0).exec_key, all.at(1).exec_key);
  EXPECT_EQ(all.at(0).exec_key, observations().at(0).exec_key);
}

// --- damage and oddities --------------------------------------------------------------------------------------------

TEST_F(ToObservations, DamagedReportIsPartial) {
  cases_ = {make_case("t")};
  EXPECT_FALSE(observations().at(0).partial);
  summary_.damage = Damage{10, 1, "cut off"};
  EXPECT_TRUE(observations().at(0).partial);
}

TEST_F(ToObservations, CaseWithoutAnyNameIsLeftOutAndNoted) {
  cases_ = {make_case(""), make_case("", Status::fail), make_case("t")};
  cases_[1].class_name.clear();
  cases_[1].suite.clear();
  const auto all = observations();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].class_name, "C");
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("1 of them failed")));
}

TEST_F(ToObservations, OddDurationsAreUnknownOrBounded) {
  cases_ = {make_case("a"), make_case("b"), make_case("c"), make_case("d")};
  cases_[0].duration_ms = std::nullopt;
  cases_[1].duration_ms = std::numeric_limits<double>::quiet_NaN();
  cases_[2].duration_ms = 1e300;
  cases_[3].duration_ms = 0.4;
  const auto all = observations();
  EXPECT_EQ(all[0].duration_ms, std::nullopt);
  EXPECT_EQ(all[1].duration_ms, std::nullopt);
  EXPECT_EQ(all[2].duration_ms, 9'000'000'000'000'000);
  EXPECT_EQ(all[3].duration_ms, 0);
}

TEST_F(ToObservations, EmptyReportHasNone) { EXPECT_THAT(observations(), IsEmpty()); }

TEST(Observations, WhatWasNeverRunIsNoObservation) {
  Case ran;
  ran.suite = ran.class_name = "s";
  ran.name = "ran";
  auto never = ran;
  never.name = "never";
  never.status = Status::skip;
  never.not_run = true;
  const auto found = to_observations({ran, never}, {}, {});
  ASSERT_EQ(found.observations.size(), 1U);
  EXPECT_EQ(found.observations[0].name, "ran");
  EXPECT_TRUE(found.notes.empty());
}

TEST(Observations, AQuarantinedFailureKeepsItsMarkInEveryAttempt) {
  Case known;
  known.suite = known.class_name = "s";
  known.name = "t";
  known.status = Status::fail;
  known.quarantined = true;
  known.later = {{Status::fail, "again"}};
  const auto found = to_observations({known}, {}, {});
  ASSERT_EQ(found.observations.size(), 2U);
  EXPECT_TRUE(found.observations[0].quarantined);
  EXPECT_TRUE(found.observations[1].quarantined);
}

}  // namespace
}  // namespace flakestat::formats
