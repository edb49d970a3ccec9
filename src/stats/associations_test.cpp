#include "stats/associations.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

#include "stats/fisher.hpp"
#include "stats/history_fixture.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

// Computed with exact fractions, the last one with 40 decimal digits.
TEST(Fisher, AgreesWithExactSums) {
  EXPECT_NEAR(fisher_at_least(3, 10, 5, 30), 0.19123405330301882, 1e-12);
  EXPECT_NEAR(fisher_at_least(30, 40, 32, 140) / 1.0934937563648912e-19, 1, 1e-9);
  EXPECT_NEAR(fisher_at_least(1, 10, 1, 20), 0.5, 1e-12);
  EXPECT_NEAR(fisher_at_least(5, 5, 5, 10), 0.003968253968253968, 1e-14);
  EXPECT_NEAR(fisher_at_least(10, 10, 10, 20) / 5.412544112234515e-06, 1, 1e-10);
  EXPECT_NEAR(fisher_at_least(12, 50, 20, 200), 0.00046941166073490975, 1e-13);
  EXPECT_NEAR(fisher_at_least(700, 1000, 1100, 2000) / 4.095047146804613e-42, 1, 1e-8);
  EXPECT_NEAR(fisher_at_least(260, 5000, 1000, 20000), 0.23744098546152514, 1e-9);
  EXPECT_NEAR(fisher_at_least(5200, 100000, 50000, 1000000), 0.0011976886804948656, 1e-8);
}

TEST(Fisher, EdgesAndNonsenseNeverThrow) {
  EXPECT_EQ(fisher_at_least(0, 4, 3, 9), 1);
  EXPECT_EQ(fisher_at_least(5, 10, 20, 25), 1) << "so many must fail";
  EXPECT_EQ(fisher_at_least(4, 3, 9, 20), 0);
  EXPECT_EQ(fisher_at_least(0, 0, 0, 0), 1);
  EXPECT_EQ(fisher_at_least(1, 5, 9, 3), 1);
  EXPECT_EQ(fisher_at_least(1, 5, 9, std::uint64_t{1} << 40), 1);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t total = random() % 3000;
    const double p = fisher_at_least(random() % 3000, random() % (total + 1), random() % (total + 1), total);
    ASSERT_TRUE(p >= 0 && p <= 1) << p;
  }
}

TEST(Fisher, AMillionObservationsAreFast) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t hits = 0; hits <= 400'000; hits += 10'000) {
    const double p = fisher_at_least(hits, 500'000, 400'000, 1'000'000);
    ASSERT_TRUE(p >= 0 && p <= 1);
    ASSERT_GE(fisher_at_least(hits, 2'000'000'000, 1'500'000'000, 2'100'000'000), 0);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(FalseDiscoveryRates, AreThoseOfBenjaminiAndHochberg) {
  const auto q = false_discovery_rates({0.01, 0.04, 0.03, 0.005, 0.9});
  ASSERT_EQ(q.size(), 5U);
  EXPECT_NEAR(q[3], 0.025, 1e-12);
  EXPECT_NEAR(q[0], 0.025, 1e-12);
  EXPECT_NEAR(q[2], 0.05, 1e-12);
  EXPECT_NEAR(q[1], 0.05, 1e-12);
  EXPECT_NEAR(q[4], 0.9, 1e-12);
  EXPECT_TRUE(false_discovery_rates({}).empty());
}

PlaceCount at(TracedPlace place, std::uint64_t fails, std::uint64_t runs) { return {std::move(place), {runs, fails}}; }

TEST(Associations, SayWhereFailuresConcentrate) {
  const auto found = find_associations({at({{"os", "windows"}}, 30, 40), at({{"os", "linux"}}, 2, 100)});
  ASSERT_EQ(found.found.size(), 1U);
  const auto& windows = found.found[0];
  EXPECT_EQ(windows.values, (std::vector<KeyValue>{{"os", "windows"}}));
  EXPECT_EQ(windows.group.fails, 30U);
  EXPECT_EQ(windows.group.runs, 40U);
  EXPECT_EQ(windows.rest.fails, 2U);
  EXPECT_EQ(windows.rest.runs, 100U);
  EXPECT_TRUE(windows.strong);
  EXPECT_NEAR(windows.difference, 0.73, 1e-12);
  EXPECT_NEAR(windows.q_value / 2.1869875127297824e-19, 1, 1e-9) << "two values were tested";
  EXPECT_EQ(found.tested, 2U);
}

TEST(Associations, NeedTenObservationsInsideAndOutside) {
  EXPECT_TRUE(find_associations({at({{"os", "w"}}, 9, 9), at({{"os", "l"}}, 0, 1000)}).found.empty());
  EXPECT_TRUE(find_associations({at({{"os", "w"}}, 90, 100), at({{"os", "l"}}, 0, 9)}).found.empty());
  EXPECT_EQ(find_associations({at({{"os", "w"}}, 10, 10), at({{"os", "l"}}, 0, 10)}).found.size(), 1U);
}

TEST(Associations, NeedADifferenceHoweverSmallThePValue) {
  const auto small = find_associations({at({{"os", "w"}}, 9000, 100000), at({{"os", "l"}}, 0, 100000)});
  EXPECT_TRUE(small.found.empty());
  const auto candidate = find_associations({at({{"os", "w"}}, 12000, 100000), at({{"os", "l"}}, 0, 100000)});
  ASSERT_EQ(candidate.found.size(), 1U);
  EXPECT_FALSE(candidate.found[0].strong);
}

TEST(Associations, TheLimitItselfIsADifference) {
  const auto exact = find_associations({at({{"os", "w"}}, 3500, 10000), at({{"os", "l"}}, 2000, 10000)});
  ASSERT_EQ(exact.found.size(), 1U);
  EXPECT_TRUE(exact.found[0].strong) << "0.35 - 0.2 < 0.15 in binary fractions";
  EXPECT_EQ(find_associations({at({{"os", "w"}}, 3000, 10000), at({{"os", "l"}}, 2000, 10000)}).found.size(), 1U);
}

TEST(Associations, ProvenanceIsNeverLookedAt) {
  const auto found = find_associations(
      {at({{"ci.run_id", "1"}, {"ci.shard", "2"}}, 20, 20), at({{"ci.run_id", "2"}, {"ci.worker", "gw1"}}, 0, 20)});
  EXPECT_TRUE(found.found.empty());
  EXPECT_TRUE(found.values.empty());
  EXPECT_EQ(found.all.runs, 40U);
}

TEST(Associations, ValuesThatSplitAlikeAreReportedTogether) {
  const auto found = find_associations(
      {at({{"os", "windows"}, {"db", "mssql"}}, 30, 39), at({{"os", "windows"}, {"db", "pg"}}, 0, 1),
       at({{"os", "linux"}, {"db", "pg"}, {"arch", "arm64"}}, 1, 50), at({{"os", "linux"}, {"db", "pg"}}, 1, 50)});
  ASSERT_EQ(found.found.size(), 1U);
  EXPECT_EQ(found.found[0].values, (std::vector<KeyValue>{{"db", "mssql"}, {"os", "windows"}}));
}

TEST(Associations, ValuesThatSplitOtherwiseStayApart) {
  const auto found = find_associations(
      {at({{"os", "windows"}, {"db", "mssql"}}, 30, 30), at({{"os", "windows"}, {"db", "pg"}}, 10, 30),
       at({{"os", "linux"}, {"db", "mssql"}}, 10, 30), at({{"os", "linux"}, {"db", "pg"}}, 0, 30)});
  ASSERT_EQ(found.found.size(), 2U);
  EXPECT_EQ(found.found[0].values.size(), 1U);
}

TEST(Associations, FirstTriesOutsideOutagesCount) {
  LogBook log;
  Place windows;
  windows.os = "windows";
  for (int i = 0; i < 30; ++i) {
    windows.commit = "w" + std::to_string(i);
    windows.ts += kHour;
    log.add(windows, "t", 'F');
    log.add(windows, "t", 'P').attempt = 1;
    Place linux_place;
    linux_place.commit = windows.commit;
    linux_place.ts = windows.ts;
    log.add(linux_place, "t", 'P');
  }
  History history;
  for (const auto& line : log.lines) feed(history, line);
  const auto options = example_options();
  const auto trace = history.trace(log.lines[0].test_id, options, history.score(options).outages);
  const auto found = find_associations(trace);
  ASSERT_EQ(found.found.size(), 1U);
  EXPECT_EQ(found.found[0].group.runs, 30U);
  EXPECT_EQ(found.found[0].group.fails, 30U);
  EXPECT_EQ(found.all.runs, 60U);
}

// Failures that have nothing to do with ten dimensions: how often is something found? At most once in a hundred, plus
// what chance allows in so many trials.
TEST(Associations, FalseAlarmsStayBelowTheLimitOnNullData) {
  std::mt19937_64 random(20260817);
  constexpr int kTrials = 4000;
  int alarms = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<PlaceCount> places;
    const double rate = 0.02 + 0.96 * static_cast<double>(random() % 1000) / 1000;
    std::bernoulli_distribution fails(rate);
    const auto observations = 40 + random() % 200;
    for (std::uint64_t i = 0; i < observations; ++i) {
      TracedPlace place;
      for (int key = 0; key < 10; ++key) {
        place.emplace_back("k" + std::to_string(key), std::to_string(random() % static_cast<unsigned>(2 + key % 4)));
      }
      places.push_back(at(place, fails(random) ? 1 : 0, 1));
    }
    if (!find_associations(places).found.empty()) ++alarms;
  }
  const double limit = kTrials * kMostFalseDiscoveries;
  EXPECT_LE(alarms, limit + 3 * std::sqrt(limit));
  RecordProperty("alarms", alarms);
}

// The same by permutation of data that do have an association: shuffled outcomes keep the margins and lose the link.
TEST(Associations, ShuffledOutcomesShowNothing) {
  std::mt19937_64 random(7);
  std::vector<int> outcomes(200, 0);
  std::fill_n(outcomes.begin(), 60, 1);
  int alarms = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::shuffle(outcomes.begin(), outcomes.end(), random);
    std::vector<PlaceCount> places;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      places.push_back(at({{"os", i < 60 ? "windows" : "linux"}, {"arch", i % 3 == 0 ? "arm64" : "x86_64"}},
                          static_cast<std::uint64_t>(outcomes[i]), 1));
    }
    if (!find_associations(places).found.empty()) ++alarms;
  }
  EXPECT_LE(alarms, 20 + 3 * 5);
}

TEST(Associations, OfAMillionObservationsAreFast) {
  std::mt19937_64 random(5);
  std::vector<PlaceCount> places;
  for (int i = 0; i < 20000; ++i) {
    places.push_back(at({{"ci.run_id", std::to_string(i)},
                         {"host", "h" + std::to_string(random() % 500)},
                         {"os", i % 3 == 0 ? "windows" : "linux"}},
                        i % 3 == 0 ? 20 : 1, 50));
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto found = find_associations(places);
  EXPECT_EQ(found.all.runs, 1'000'000U);
  ASSERT_FALSE(found.found.empty());
  EXPECT_EQ(found.found[0].values[0], (KeyValue{"os", "windows"}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace flakestat::stats
