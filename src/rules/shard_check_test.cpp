#include "rules/shard_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flakestat::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr UnixMillis kNow = 1'783'850'000'000;
constexpr UnixMillis kHour = 3'600'000;

using Names = std::vector<std::string>;

// A run of six tests in three shards, all well.
std::vector<ShardEvidence> whole_run() {
  const std::vector<Names> parts{{"a::1", "a::2"}, {"b::1", "b::2", "b::3"}, {"c::1"}};
  Names all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::vector<ShardEvidence> evidence;
  for (int k = 1; k <= 3; ++k) {
    ShardManifest one;
    one.k = k;
    one.n = 3;
    one.run_id = "run" + std::to_string(k);
    one.started = kNow + k;
    one.commit = "abc";
    one.ci_run = "77";
    one.collected_count = 6;
    one.collected_hash = hash_of_names({all.begin(), all.end()});
    one.partition_hash = std::string(64, 'b');
    one.ids = parts[static_cast<std::size_t>(k - 1)];
    std::set_difference(all.begin(), all.end(), one.ids.begin(), one.ids.end(), std::back_inserter(one.elsewhere));
    one.finished = true;
    evidence.push_back({"f" + std::to_string(k), one});
  }
  return evidence;
}

TEST(ShardCheck, AWholeRunIsOk) {
  auto evidence = whole_run();
  std::reverse(evidence.begin(), evidence.end());
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_TRUE(check.ok());
  EXPECT_EQ(check.expected, 3);
  EXPECT_EQ(check.collected, 6U);
  EXPECT_EQ(check.run, 6U);
  ASSERT_EQ(check.parts.size(), 3U);
  EXPECT_EQ(check.parts[1].file, "f2");
  EXPECT_EQ(check.parts[1].run, 3U);
  EXPECT_TRUE(check_shards(evidence, 3).ok());
}

TEST(ShardCheck, FailedTestsAreNotItsBusiness) {
  auto evidence = whole_run();
  evidence[0].manifest.exit_code = 1;
  EXPECT_TRUE(check_shards(evidence, std::nullopt).ok());
}

TEST(ShardCheck, NoEvidenceIsNotOk) {
  EXPECT_FALSE(check_shards({}, std::nullopt).ok());
  EXPECT_THAT(check_shards({}, 2).missing, ElementsAre(1, 2));
}

TEST(ShardCheck, AMissingShardIsNamedWithItsTests) {
  auto evidence = whole_run();
  evidence.erase(evidence.begin() + 1);
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_FALSE(check.ok());
  EXPECT_THAT(check.missing, ElementsAre(2));
  EXPECT_THAT(check.unassigned, ElementsAre("b::1", "b::2", "b::3"));
  EXPECT_EQ(check.unnamed, 0U);
  for (auto& one : evidence) one.manifest.elsewhere.clear();
  const auto nameless = check_shards(evidence, std::nullopt);
  EXPECT_FALSE(nameless.ok());
  EXPECT_THAT(nameless.unassigned, IsEmpty());
  EXPECT_EQ(nameless.unnamed, 3U);
}

TEST(ShardCheck, TheNumberThatIsExpectedMustBeTheirs) {
  EXPECT_FALSE(check_shards(whole_run(), 4).ok());
  EXPECT_THAT(check_shards(whole_run(), 4).missing, ElementsAre(4));
  const auto fewer = check_shards(whole_run(), 2);
  EXPECT_FALSE(fewer.ok());
  EXPECT_THAT(fewer.contradictions.front(), HasSubstr("2 shards are expected, and the run was divided into 3"));
}

TEST(ShardCheck, WhatAnEndedRunDidNotComeToIsNamed) {
  auto evidence = whole_run();
  evidence[1].manifest.not_run = {"b::2"};
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_FALSE(check.ok());
  ASSERT_EQ(check.not_run.size(), 1U);
  EXPECT_EQ(check.not_run[0].id, "b::2");
  EXPECT_EQ(check.not_run[0].shard, 2);
  EXPECT_EQ(check.run, 5U);
}

TEST(ShardCheck, AShardThatDidNotFinishIsNotOk) {
  auto evidence = whole_run();
  evidence[2].manifest.finished = false;
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_FALSE(check.ok());
  EXPECT_THAT(check.contradictions, ElementsAre("shard 3 did not come to its end"));
}

TEST(ShardCheck, ATestInTwoShardsAndOneInNoneAreNamed) {
  auto evidence = whole_run();
  evidence[2].manifest.partition_hash = std::string(64, 'c');
  evidence[2].manifest.ids = {"a::2"};
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_FALSE(check.ok());
  ASSERT_EQ(check.doubled.size(), 1U);
  EXPECT_EQ(check.doubled[0].id, "a::2");
  EXPECT_THAT(check.doubled[0].shards, ElementsAre(1, 3));
  EXPECT_THAT(check.unassigned, ElementsAre("c::1"));
  EXPECT_THAT(check.contradictions, ElementsAre(HasSubstr("who runs what")));
  EXPECT_THAT(check.contradictions[0], HasSubstr("[1, 2] bbbb"));
}

TEST(ShardCheck, OtherPartitionsAreToldEvenWhenNothingIsLostByLuck) {
  auto evidence = whole_run();
  evidence[0].manifest.partition_hash = std::string(64, 'c');
  EXPECT_FALSE(check_shards(evidence, std::nullopt).ok());
}

TEST(ShardCheck, AnotherSuiteIsTold) {
  auto evidence = whole_run();
  evidence[0].manifest.collected_hash = std::string(64, 'd');
  evidence[0].manifest.collected_count = 7;
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_FALSE(check.ok());
  EXPECT_THAT(check.contradictions, ElementsAre(HasSubstr("the suite they collected: [2, 3] 6 tests")));
}

TEST(ShardCheck, NamesThatAreNotThoseCollectedAreTold) {
  auto evidence = whole_run();
  for (auto& one : evidence) one.manifest.elsewhere.clear();
  evidence[2].manifest.ids = {"x::1"};
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_FALSE(check.ok());
  EXPECT_THAT(check.contradictions, ElementsAre(HasSubstr("not those that were collected")));
}

TEST(ShardCheck, ARepeatedJobReplacesTheEarlierOne) {
  auto evidence = whole_run();
  auto again = evidence[1];
  evidence[1].manifest.finished = false;
  evidence[1].manifest.not_run = evidence[1].manifest.ids;
  again.file = "later";
  again.manifest.run_id = "later";
  again.manifest.started += kHour;
  evidence.insert(evidence.begin(), again);
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_TRUE(check.ok());
  EXPECT_EQ(check.parts[1].file, "later");
  ASSERT_EQ(check.set_aside.size(), 1U);
  EXPECT_EQ(check.set_aside[0].file, "f2");
  EXPECT_EQ(check.set_aside[0].reason, "repeated later");
}

TEST(ShardCheck, ACopyOfAManifestChangesNothing) {
  auto evidence = whole_run();
  evidence.push_back(evidence[0]);
  evidence.back().file = "g";
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_TRUE(check.ok());
  EXPECT_EQ(check.set_aside.front().reason, "the same run once more");
}

TEST(ShardCheck, ManifestsOfEarlierRunsDoNotStandInForAMissingShard) {
  const auto stale = [](auto change) {
    auto evidence = whole_run();
    change(evidence[2].manifest);
    const auto check = check_shards(evidence, std::nullopt);
    EXPECT_FALSE(check.ok());
    EXPECT_THAT(check.missing, ElementsAre(3));
    EXPECT_EQ(check.set_aside.size(), 1U);
    return check.set_aside.front().reason;
  };
  EXPECT_EQ(stale([](auto& one) {
              one.ci_run = "7\x1b[31m";
              one.started -= kHour;
            }),
            "of another CI run: \"7\\x1b[31m\"");
  EXPECT_THAT(stale([](auto& one) {
                one.commit = "abd";
                one.started -= kHour;
              }),
              HasSubstr("another commit"));
  EXPECT_THAT(stale([](auto& one) { one.started -= 25 * kHour; }), HasSubstr("24 hours"));
}

TEST(ShardCheck, ANameThatASuiteHoldsTwiceIsNotDoubled) {
  auto evidence = whole_run();
  for (auto& [file, one] : evidence) {
    one.collected_count = 7;
    one.collected_hash = hash_of_names({"a::1", "a::1", "a::2", "b::1", "b::2", "b::3", "c::1"});
  }
  evidence[0].manifest.ids = {"a::1", "a::1", "a::2"};
  const auto check = check_shards(evidence, std::nullopt);
  EXPECT_TRUE(check.ok());
  EXPECT_EQ(check.run, 7U);
}

TEST(ShardCheck, AnEmptyShardIsAShard) {
  auto evidence = whole_run();
  auto empty = evidence[0];
  for (auto& [file, one] : evidence) one.n = 4;
  empty.manifest.k = empty.manifest.n = 4;
  empty.manifest.ids.clear();
  empty.manifest.elsewhere.clear();
  evidence.push_back(empty);
  EXPECT_TRUE(check_shards(evidence, 4).ok());
}

}  // namespace
}  // namespace flakestat::rules
