#include "app/ledger_age.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace flakestat::app {
namespace {

Result<store::LedgerAge> age_with(const std::map<std::string, std::string, std::less<>>& variables) {
  World world;
  world.now = [] { return UnixMillis{1'783'850'000'999}; };
  world.env = [variables](std::string_view name) {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional(at->second);
  };
  return ledger_age(world);
}

std::int64_t days_with(const std::map<std::string, std::string, std::less<>>& variables) {
  const auto age = age_with(variables);
  EXPECT_TRUE(age);
  EXPECT_EQ(age->now, 1'783'850'000);
  return age->retention / 86'400;
}

TEST(LedgerAge, IsNinetyDaysUnlessAVariableSaysOtherwise) {
  EXPECT_EQ(days_with({}), 90);
  EXPECT_EQ(days_with({{"FLAKESTAT_FLAKE_RETENTION_DAYS", " 7 "}}), 7);
  EXPECT_EQ(days_with({{"RSTEST_FLAKE_RETENTION_DAYS", "30"}}), 30);
  EXPECT_EQ(days_with({{"FLAKESTAT_FLAKE_RETENTION_DAYS", "0"}, {"RSTEST_FLAKE_RETENTION_DAYS", "30"}}), 0);
  EXPECT_EQ(days_with({{"FLAKESTAT_FLAKE_RETENTION_DAYS", ""}, {"RSTEST_FLAKE_RETENTION_DAYS", "30"}}), 30);
}

TEST(LedgerAge, WhatIsNoNumberOfDaysIsAConfigurationError) {
  for (const auto* text : {"-1", "ninety", "90d", "1e3", "99999999999999999999", "9223372036854775807"}) {
    const auto age = age_with({{"RSTEST_FLAKE_RETENTION_DAYS", text}});
    ASSERT_FALSE(age.ok()) << text;
    EXPECT_EQ(age.error().kind, ErrorKind::config);
    EXPECT_THAT(age.error().message, ::testing::HasSubstr("RSTEST_FLAKE_RETENTION_DAYS"));
  }
}

}  // namespace
}  // namespace flakestat::app
