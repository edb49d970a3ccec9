#include "app/next_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/identity.hpp"

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

report::Explanation of(Verdict verdict) {
  report::Explanation found;
  found.score.verdict = verdict;
  found.score.test_id = test_id("s", "C", "t");
  return found;
}

const std::string kId = to_hex(test_id("s", "C", "t"));

Settings configured() {
  Settings settings;
  settings.config.command = std::vector<std::string>{"pytest"};
  return settings;
}

TEST(NextStep, AFlakeIsShownAgainWithAsManyRunsAsItsRateAsksFor) {
  auto found = of(Verdict::flaky);
  found.score.rate = 0.05;
  found.score.p_flaky = 1;
  const auto next = next_step(found, configured(), {});
  EXPECT_THAT(next.command, ElementsAre("flakestat", "hunt", "--runs", "59", "--until-fail", "--filter", kId));
  EXPECT_THAT(next.why.plain(), HasSubstr("59 runs show it again with 95 %"));
  EXPECT_THAT(next.tolerate, ElementsAre("flakestat", "quarantine", "--update", "quarantine.txt", "--filter", kId));
  found.score.possibly_fixed = true;
  EXPECT_THAT(next_step(found, configured(), {}).tolerate, IsEmpty());
}

TEST(NextStep, ATestThatSeldomPassesIsShownByItsPasses) {
  auto found = of(Verdict::flaky);
  found.score.rate = 0.95;
  found.score.p_flaky = 1;
  const auto next = next_step(found, configured(), {});
  EXPECT_THAT(next.command[3], "59");
  EXPECT_THAT(next.why.plain(), HasSubstr("if it still passes at about 5 %"));
}

TEST(NextStep, WithoutACommandTheReaderIsToldWhatToPutThere) {
  CommonFlags common;
  common.dir = "state";
  const auto next = next_step(of(Verdict::insufficient_data), {}, common);
  EXPECT_THAT(next.command, ElementsAre("flakestat", "hunt", "--runs", "59", "--filter", kId, "--dir", "state",
                                        "--junit", "REPORT", "--", "COMMAND"));
  EXPECT_THAT(next.why.plain(), HasSubstr("COMMAND: what runs your tests"));
}

TEST(NextStep, OfABrokenTestAreTheCommitsThatMayHaveDoneIt) {
  auto found = of(Verdict::consistently_failing);
  found.findings.last_pass = stats::Stretch{3, "0123456789abcdef0123456789abcdef01234567", 0};
  found.findings.failing = {5, "fedcba98", 0};
  EXPECT_THAT(next_step(found, configured(), {}).command,
              ElementsAre("git", "log", "--oneline", "0123456789ab..fedcba98"));
}

TEST(NextStep, WhatIsNoCommitIsNeverGivenToGit) {
  auto found = of(Verdict::consistently_failing);
  found.findings.last_pass = stats::Stretch{3, "--output=/etc/passwd", 0};
  found.findings.failing = {5, "fedcba98", 0};
  EXPECT_THAT(next_step(found, configured(), {}).command,
              ElementsAre("flakestat", "hunt", "--runs", "14", "--filter", kId));
}

TEST(NextStep, WhatIsKnownToBeBrokenNeedsNoMoreRuns) {
  auto found = of(Verdict::consistently_failing);
  found.findings.failing = {13, "", 0};
  EXPECT_EQ(next_step(found, configured(), {}).command[3], "14");
  found.findings.failing.runs = 14;
  const auto next = next_step(found, configured(), {});
  EXPECT_THAT(next.command, IsEmpty());
  EXPECT_THAT(next.why.plain(), HasSubstr("pass rates above 19 % are ruled out already"));
}

TEST(NextStep, AStableTestIsAskedForWhatIsNotRuledOutYet) {
  auto found = of(Verdict::stable);
  found.findings.clean.runs = 20;
  EXPECT_EQ(next_step(found, configured(), {}).command[3], "39");
  found.findings.clean.runs = 100;
  EXPECT_EQ(next_step(found, configured(), {}).command[3], "199");
  found.findings.clean.runs = 299;
  EXPECT_THAT(next_step(found, configured(), {}).command, IsEmpty());
}

TEST(NextStep, AStableTestThatFailsSomewhereIsAskedForThere) {
  auto found = of(Verdict::stable);
  found.associations = stats::find_associations({{{{"os", "windows"}}, {20, 20}}, {{{"os", "linux"}}, {20, 0}}});
  const auto next = next_step(found, configured(), {});
  EXPECT_EQ(next.command[3], "14");
  EXPECT_THAT(next.why.plain(), HasSubstr("14 runs where os=windows"));
}

TEST(NextStep, ASkippedTestHasNothingToRun) {
  EXPECT_THAT(next_step(of(Verdict::always_skipped), configured(), {}).command, IsEmpty());
}

}  // namespace
}  // namespace flakestat::app
