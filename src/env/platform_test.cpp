#include "env/platform.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace flakestat::env {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const Dimensions kHost = {{"os", "linux"}, {"arch", "amd64"}};

CiRun github() {
  return {
      .dimensions = {{"ci.provider", "github"}}, .branch = {}, .commit = {}, .default_branch = {}, .event_file = {}};
}

TEST(Platform, UsesGosWords) {
  EXPECT_EQ(platform_dimensions("Linux", "x86_64"), kHost);
  EXPECT_EQ(platform_dimensions("Linux", "aarch64").at("arch"), "arm64");
  EXPECT_EQ(platform_dimensions("Darwin", "arm64"), (Dimensions{{"os", "darwin"}, {"arch", "arm64"}}));
  EXPECT_EQ(platform_dimensions("Linux", "i686").at("arch"), "386");
  EXPECT_EQ(platform_dimensions("Linux", "riscv64").at("arch"), "riscv64");
}

TEST(Platform, ThisMachineIsLinux) { EXPECT_EQ(host_platform().at("os"), "linux"); }

TEST(Platform, HostIsRecordedForTestsThatWeLaunched) {
  EXPECT_EQ(detected_dimensions({.origin = Origin::launched_here}, std::nullopt, kHost), kHost);
}

TEST(Platform, ReadingAReportOutsideCiSaysNothingOfTheHost) {
  EXPECT_THAT(detected_dimensions({.origin = Origin::read_here}, std::nullopt, kHost), IsEmpty());
}

TEST(Platform, ReadingAReportInCiRecordsHostAndCi) {
  EXPECT_THAT(detected_dimensions({.origin = Origin::read_here}, github(), kHost),
              UnorderedElementsAre(Pair("os", "linux"), Pair("arch", "amd64"), Pair("ci.provider", "github")));
}

TEST(Platform, NoHostSwitchesItOffEverywhere) {
  EXPECT_THAT(detected_dimensions({.origin = Origin::read_here, .no_host = true}, github(), kHost),
              UnorderedElementsAre(Pair("ci.provider", "github")));
  EXPECT_THAT(detected_dimensions({.origin = Origin::launched_here, .no_host = true}, std::nullopt, kHost), IsEmpty());
}

TEST(Platform, LastPairOfAKeyWins) {
  const std::array<std::string, 3> pairs = {"db=pg", "os=mac", "db=mysql"};
  EXPECT_THAT(*parse_dimensions(pairs), UnorderedElementsAre(Pair("db", "mysql"), Pair("os", "mac")));
}

TEST(Platform, BadPairIsNamed) {
  const std::array<std::string, 2> pairs = {"db=pg", "oops"};
  EXPECT_THAT(parse_dimensions(pairs).error().message, HasSubstr("\"oops\""));
}

}  // namespace
}  // namespace flakestat::env
