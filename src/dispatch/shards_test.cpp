#include "dispatch/shards.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "dispatch/work_plan.hpp"

namespace flakestat::dispatch {
namespace {

struct Timed {
  std::string id;
  std::optional<double> seconds;
};

std::vector<ShardTest> views(const std::vector<Timed>& suite) {
  std::vector<ShardTest> tests;
  for (const auto& one : suite) tests.push_back({one.id, one.seconds});
  return tests;
}

std::vector<Timed> random_suite(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::lognormal_distribution<> seconds(-2, 1.5);
  std::vector<Timed> suite;
  int file = 0;
  for (int i = 0; i < count; ++i) {
    if (random() % 6 == 0) ++file;
    auto id = "t/f" + std::to_string(file) + ".py::t" + std::to_string(i);
    suite.push_back({std::move(id), random() % 8 == 0 ? std::nullopt : std::optional(seconds(random))});
  }
  return suite;
}

TEST(Shards, WordsOfShard) {
  const auto third = parse_shard("3/8");
  ASSERT_TRUE(third);
  EXPECT_EQ(third->k, 3);
  EXPECT_EQ(third->n, 8);
  EXPECT_TRUE(parse_shard("1/1") && parse_shard("10000/10000"));
  for (const auto* wrong :
       {"", "/", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", " 1/2", "1/2 ", "a/b", "1/10001", "1/99999999999"}) {
    const auto read = parse_shard(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().kind, ErrorKind::usage);
    EXPECT_THAT(read.error().message, ::testing::HasSubstr("K/N"));
  }
}

TEST(Shards, EveryTestIsInOneShardAndFilesStayWhole) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto suite = random_suite(seed, static_cast<int>(seed) * 3);
    const auto tests = views(suite);
    const int n = 1 + static_cast<int>(seed % 7);
    const auto made = partition(tests, n);
    std::map<std::string, int> where;
    std::size_t sum = 0;
    for (int k = 1; k <= n; ++k) sum += tests_of(made, k).size();
    EXPECT_EQ(sum, suite.size());
    for (std::size_t i = 0; i < suite.size(); ++i) {
      EXPECT_TRUE(made.shard_of[i] >= 1 && made.shard_of[i] <= n);
      EXPECT_EQ(where.try_emplace(std::string(file_of(suite[i].id)), made.shard_of[i]).first->second, made.shard_of[i]);
    }
  }
}

TEST(Shards, TheOrderOfTheTestsDoesNotMatter) {
  auto suite = random_suite(4, 500);
  const auto first = partition(views(suite), 5);
  std::map<std::string, int> where;
  for (std::size_t i = 0; i < suite.size(); ++i) where[suite[i].id] = first.shard_of[i];
  std::shuffle(suite.begin(), suite.end(), std::mt19937(1));
  const auto second = partition(views(suite), 5);
  for (std::size_t i = 0; i < suite.size(); ++i) EXPECT_EQ(second.shard_of[i], where[suite[i].id]);
  EXPECT_EQ(first.collected_hash, second.collected_hash);
  EXPECT_EQ(first.partition_hash, second.partition_hash);
}

TEST(Shards, EndTogetherWhenDurationsAreKnown) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    auto suite = random_suite(seed, 3000);
    std::vector<double> load(4);
    std::map<std::string, double> files;
    double sum = 0;
    for (auto& one : suite) {
      one.seconds = one.seconds.value_or(0.1);
      sum += *one.seconds;
      files[std::string(file_of(one.id))] += *one.seconds;
    }
    double largest = sum / 4;
    for (const auto& [name, seconds] : files) largest = std::max(largest, seconds);
    const auto made = partition(views(suite), 4);
    for (std::size_t i = 0; i < suite.size(); ++i)
      load[static_cast<std::size_t>(made.shard_of[i] - 1)] += *suite[i].seconds;
    EXPECT_LE(*std::max_element(load.begin(), load.end()), 1.05 * largest) << seed;
  }
}

TEST(Shards, WithoutDurationsTheCountsAreEven) {
  std::vector<Timed> suite;
  for (int i = 0; i < 400; ++i) suite.push_back({"f" + std::to_string(i / 10) + ".py::t" + std::to_string(i), {}});
  const auto made = partition(views(suite), 4);
  for (int k = 1; k <= 4; ++k) EXPECT_EQ(tests_of(made, k).size(), 100U);
}

TEST(Shards, OtherNamesOtherDurationsOtherNumbersAreOtherPartitions) {
  const std::vector<ShardTest> tests{{"a.py::t", 1.0}, {"b.py::t", 2.0}};
  const auto made = partition(tests, 2);
  EXPECT_EQ(made.collected_hash.size(), 64U);
  const auto named = partition({{"a.py::t", 1.0}, {"b.py::u", 2.0}}, 2);
  EXPECT_NE(named.collected_hash, made.collected_hash);
  EXPECT_NE(named.partition_hash, made.partition_hash);
  const auto timed = partition({{"a.py::t", 1.0}, {"b.py::t", 2.001}}, 2);
  EXPECT_EQ(timed.collected_hash, made.collected_hash);
  EXPECT_NE(timed.partition_hash, made.partition_hash);
  EXPECT_NE(partition(tests, 3).partition_hash, made.partition_hash);
  EXPECT_NE(partition({{"a", {}}, {"b1", {}}}, 2).collected_hash, partition({{"a1", {}}, {"b", {}}}, 2).collected_hash);
}

TEST(Shards, ThePartitionOfASuiteIsTheSameForEver) {
  const auto made = partition({{"a.py::t", 1.0}, {"a.py::u", {}}, {"b.py::t", 2.5}}, 2);
  EXPECT_EQ(made.shard_of, (std::vector<int>{1, 1, 2}));
  EXPECT_EQ(made.collected_hash, "42706d0a39be33cf33fec54600efd083323d4d5d2d944a69227ac7d4c48de83b");
  EXPECT_EQ(made.partition_hash, "f9a00b1c5b7d9ba42d735fc9ddca70609494f85dd03ca759bbb2d62af9af0fd7");
}

TEST(Shards, HostileDurationsStayInBounds) {
  std::vector<ShardTest> tests;
  for (int i = 0; i < 100; ++i) tests.push_back({"same.py::t", 1e300});
  tests.push_back({"nan.py::t", std::numeric_limits<double>::quiet_NaN()});
  tests.push_back({"", -1.0});
  const auto made = partition(tests, 3);
  EXPECT_EQ(made.shard_of[0], 1);
  EXPECT_NE(made.shard_of[100], 1);
}

TEST(Shards, MoreShardsThanFilesLeaveSomeEmpty) {
  const auto made = partition({{"a.py::t", 1.0}}, 3);
  EXPECT_EQ(tests_of(made, 1).size() + tests_of(made, 2).size() + tests_of(made, 3).size(), 1U);
  EXPECT_TRUE(partition({}, 3).shard_of.empty());
}

TEST(Shards, AManifestNamesItsOwnTestsAndTheOthers) {
  const std::vector<ShardTest> tests{{"b.py::t", 3.0}, {"a.py::z", 1.0}, {"a.py::t", 1.0}};
  const auto made = begin_manifest(partition(tests, 2), tests, {2, 2});
  EXPECT_EQ(made.k, 2);
  EXPECT_EQ(made.n, 2);
  EXPECT_EQ(made.collected_count, 3U);
  EXPECT_EQ(made.ids, (std::vector<std::string>{"a.py::t", "a.py::z"}));
  EXPECT_EQ(made.not_run, made.ids) << "nothing has run yet";
  EXPECT_EQ(made.elsewhere, (std::vector<std::string>{"b.py::t"}));
  EXPECT_FALSE(made.finished);
}

TEST(Shards, AnEndedRunLeavesWhatItDidNotBegin) {
  const std::vector<ShardTest> tests{{"a.py::t", 1.0}, {"a.py::u", 1.0}, {"a.py::v", 1.0}};
  auto made = begin_manifest(partition(tests, 1), tests, {1, 1});
  end_manifest(made, {"a.py::v", "a.py::t", "other"}, 2);
  EXPECT_TRUE(made.finished);
  EXPECT_EQ(made.exit_code, 2);
  EXPECT_EQ(made.not_run, (std::vector<std::string>{"a.py::u"}));
  EXPECT_EQ(made.ids.size(), 3U);
}

TEST(Shards, TooManyNamesOfOthersAreNotListed) {
  const std::string id(1000, 'x');
  const std::vector<ShardTest> tests(5000, ShardTest{id, 1.0});
  EXPECT_TRUE(begin_manifest(partition(tests, 2), tests, {2, 2}).elsewhere.empty());
}

}  // namespace
}  // namespace flakestat::dispatch
