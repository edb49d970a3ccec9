#include "rules/shortfall.hpp"

#include <gtest/gtest.h>

#include "rules/gate_fixture.hpp"

namespace flakestat::rules {
namespace {

using fixture::many;
using fixture::Runs;

std::size_t shortfall(const Runs& runs) {
  const auto book = runs.book();
  return find_shortfall(book, book.newest_first().front()).size();
}

TEST(Shortfall, TestsOfTheRunBeforeThatTheNewestLacks) {
  Runs runs;
  runs.run(many(10, 'P')).run(many(3, 'P'));
  EXPECT_EQ(shortfall(runs), 7U);
}

TEST(Shortfall, ARemovedTestIsMissedOnce) {
  Runs runs;
  runs.run(many(10, 'P')).run(many(9, 'P')).run(many(9, 'P'));
  EXPECT_EQ(shortfall(runs), 0U);
}

TEST(Shortfall, AFirstRunAndAGrownOneLackNothing) {
  Runs runs;
  runs.run(many(3, 'P'));
  EXPECT_EQ(shortfall(runs), 0U);
  runs.run(many(9, 'P'));
  EXPECT_EQ(shortfall(runs), 0U);
}

TEST(Shortfall, SkippedTestsAreThere) {
  Runs runs;
  runs.run(many(10, 'P')).run(many(10, 'S'));
  EXPECT_EQ(shortfall(runs), 0U);
}

TEST(Shortfall, AnotherKindOfJobAndAnotherPlaceAreNoMeasure) {
  Runs runs;
  runs.run(many(10, 'P')).run({{"lint", 'P'}});
  EXPECT_EQ(shortfall(runs), 0U);
  runs.at.os = "windows";
  runs.run(many(3, 'P'));
  EXPECT_EQ(shortfall(runs), 0U);
  runs.at.branch = "topic";
  runs.run(many(2, 'P'));
  EXPECT_EQ(shortfall(runs), 0U);
}

TEST(Shortfall, ACrashedRunIsMeasuredByTheLastWholeOne) {
  Runs runs;
  runs.run(many(10, 'P')).run({{"lint", 'P'}}).run(many(2, 'P'));
  EXPECT_EQ(shortfall(runs), 8U);
}

TEST(Shortfall, AHuntIsNeitherMeasuredNorAMeasure) {
  Runs runs;
  runs.run(many(10, 'P'));
  runs.at.source = Source::hunt;
  runs.run(many(2, 'P'));
  EXPECT_EQ(shortfall(runs), 0U);
  runs.at.source = Source::ci;
  runs.run(many(9, 'P'));
  EXPECT_EQ(shortfall(runs), 1U);
}

TEST(Shortfall, TheShardsOfARunAreOne) {
  Runs runs;
  const auto shard = [&](const std::string& run, const std::string& number, int first, int count) {
    runs.at.run_id = run + number;
    runs.at.commit = run;
    runs.at.dimensions = {{"ci.run_id", run}, {"ci.shard", number}};
    std::vector<std::pair<std::string, char>> tests;
    for (int i = first; i < first + count; ++i) tests.emplace_back("t" + std::to_string(i), 'P');
    runs.run(tests);
  };
  shard("p1", "1", 0, 5);
  shard("p1", "2", 5, 5);
  shard("p2", "1", 0, 7);
  EXPECT_EQ(shortfall(runs), 3U);
  shard("p2", "2", 7, 3);
  EXPECT_EQ(shortfall(runs), 0U);
}

}  // namespace
}  // namespace flakestat::rules
