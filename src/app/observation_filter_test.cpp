#include "app/observation_filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/append_log.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr UnixMillis kNow = 1'787'000'000'000;

class SinceTest : public ::testing::Test {
 protected:
  void record(const std::string& commit, UnixMillis ts, const std::string& code = {}) {
    Observation o;
    o.ts = ts;
    o.commit = commit;
    o.code = code;
    o.name = "t";
    o.test_id = test_id("", "", "t");
    ASSERT_TRUE(store::append(dir_, std::vector{o}));
  }

  Result<ObservationFilter> since(const std::string& text) {
    NarrowingFlags request;
    request.since = text;
    auto filter = ObservationFilter::make(request, kNow);
    if (!filter) return filter;
    if (auto resolved = filter->resolve(dir_); !resolved) return resolved.error();
    return filter;
  }

  // The first moment that is kept.
  static bool begins_at(const ObservationFilter& filter, UnixMillis ts) {
    ObservationView view;
    view.has_ts = true;
    view.ts = ts - 1;
    const bool before = filter.keeps(view);
    view.ts = ts;
    return !before && filter.keeps(view);
  }

  void expect_refused(const std::string& text, ErrorKind kind, const std::string& message) {
    const auto filter = since(text);
    ASSERT_FALSE(filter) << text;
    EXPECT_EQ(filter.error().kind, kind);
    EXPECT_THAT(filter.error().message, AllOf(HasSubstr(text), HasSubstr(message)));
  }

  testing::TempDir temp_;
  std::string dir_ = temp_.file("state");
};

TEST_F(SinceTest, ACommitMeansFromItsFirstObservationOn) {
  record("aaaaaaaa11", 5000);
  record("bbbbbbbb22", 7000);
  record("aaaaaaaa11", 3000);
  for (const auto* text : {"aaaaaaaa11", "aaaaaaa", "aaaaaaaa1"}) {
    const auto filter = since(text);
    ASSERT_TRUE(filter) << filter.error().message;
    EXPECT_TRUE(begins_at(*filter, 3000)) << text;
  }
}

TEST_F(SinceTest, ACodeOfAModifiedTreeIsNamedWithItsDigest) {
  record("aaaaaaaa11", 3000);
  record("aaaaaaaa11", 5000, "aaaaaaaa11+5f1e0c3a");
  record("aaaaaaaa11", 4000, "aaaaaaaa11+77777777");
  EXPECT_TRUE(begins_at(*since("aaaaaaaa11"), 3000));
  EXPECT_TRUE(begins_at(*since("aaaaaaaa11+5f1e"), 5000));
}

TEST_F(SinceTest, SeveralCommitsThatBeginSoAreAllNamed) {
  record("aaaaaaaa11", 3000);
  record("aaaaaaaa22", 4000);
  expect_refused("aaaaaaaa", ErrorKind::usage, "2 commits begin so (aaaaaaaa11, aaaaaaaa22)");
}

TEST_F(SinceTest, ACommitThatIsTheBeginOfAnotherIsMeantWhenSaidWhole) {
  record("aaaaaaaa", 3000);
  record("aaaaaaaa22", 4000);
  EXPECT_TRUE(begins_at(*since("aaaaaaaa"), 3000));
}

TEST_F(SinceTest, AnUnknownCommitIsMissing) {
  record("aaaaaaaa11", 3000);
  expect_refused("deadbeef", ErrorKind::missing, "runs.ndjson");
}

TEST_F(SinceTest, FewerThanSevenDigitsAreNoCommitUnlessTheyAreAllOfIt) {
  record("abcdef", 3000);
  expect_refused("abcde", ErrorKind::usage, "at least 7 digits");
  EXPECT_TRUE(begins_at(*since("abcdef"), 3000));
}

TEST_F(SinceTest, WhatIsNothingIsAUsageErrorWithoutAHistoryToo) {
  expect_refused("soon", ErrorKind::usage, "2026-08-17");
  expect_refused("", ErrorKind::usage, "30d");
}

TEST_F(SinceTest, ACommitWithoutATimeIsSaidToHaveNone) {
  (void)temp_.write("state/runs.ndjson", R"({"commit":"aaaaaaaa11","name":"t","status":"pass"})"
                                         "\n");
  expect_refused("aaaaaaaa11", ErrorKind::missing, "says when");
}

TEST_F(SinceTest, TimesAndDurationsAreNoCommits) {
  record("1234567", 3000);
  EXPECT_TRUE(begins_at(*since("1d"), kNow - 86'400'000));
  EXPECT_TRUE(begins_at(*since("1234567"), kNow - 1'234'567'000)) << "a bare number is seconds";
  EXPECT_TRUE(begins_at(*since("2026-08-17"), 1'786'924'800'000));
}

TEST_F(SinceTest, ADigestThatLooksLikeALongDurationIsACommit) {
  record("1234567d00", 3000);
  EXPECT_TRUE(begins_at(*since("1234567d"), 3000));
}

TEST_F(SinceTest, WithoutResolvingACommitNothingIsKept) {
  NarrowingFlags request;
  request.since = "aaaaaaaa";
  EXPECT_FALSE(ObservationFilter::make(request, kNow)->keeps(ObservationView{}));
}

}  // namespace
}  // namespace flakestat::app
