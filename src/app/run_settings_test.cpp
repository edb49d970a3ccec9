#include "app/run_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/commands.hpp"
#include "base/strings.hpp"
#include "dispatch/schedule.hpp"
#include "env/config_keys.hpp"

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

Settings settings_of(std::string_view run) {
  auto loaded = env::parse_config(R"({"run":)" + std::string(run) + "}", "c.json");
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  Settings settings;
  if (loaded) settings.config = loaded->config;
  settings.config_directory = "/w/shop";
  return settings;
}

std::vector<std::string> words_of(std::string_view key) {
  for (const auto& setting : env::settings()) {
    if (setting.section == "run" && setting.key == key) {
      const auto words = split(setting.words, ' ');
      return {words.begin(), words.end()};
    }
  }
  return {};
}

TEST(RunSettings, SayWhatNoFlagSays) {
  const auto settings = settings_of(R"({"reruns":2,"rerun_delay":"1.5s","only_rerun":["Timeout"],
    "rerun_except":["Assert"],"rerun_breaker":0,"max_suite_reruns":40,"fail_on_flaky":true,"output":"tap"})");
  const auto request = with_settings({}, settings);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->reruns, 2);
  EXPECT_EQ(request->rerun_delay, "1500ms");
  EXPECT_THAT(request->only_rerun, ElementsAre("Timeout"));
  EXPECT_THAT(request->rerun_except, ElementsAre("Assert"));
  EXPECT_EQ(request->rerun_breaker, 0);
  EXPECT_EQ(request->max_suite_reruns, 40);
  EXPECT_EQ(request->fail_on_flaky, true);
  EXPECT_EQ(request->output, "tap");
}

TEST(RunSettings, FlagsWinAndReplaceLists) {
  const auto settings = settings_of(R"({"reruns":2,"rerun_delay":"5s","only_rerun":["Timeout"],"fail_on_flaky":true,
    "output":"tap","junitxml":"a.xml"})");
  RunRequest said;
  said.reruns = 0;
  said.rerun_delay = "0";
  said.only_rerun = {"Connection"};
  said.fail_on_flaky = false;
  said.output = "dots";
  said.junitxml = "b.xml";
  const auto request = with_settings(said, settings);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->reruns, 0);
  EXPECT_EQ(request->rerun_delay, "0");
  EXPECT_THAT(request->only_rerun, ElementsAre("Connection"));
  EXPECT_EQ(request->fail_on_flaky, false);
  EXPECT_EQ(request->output, "dots");
  EXPECT_EQ(request->junitxml, "b.xml");
}

TEST(RunSettings, NothingSaidIsNothingAsked) {
  const auto request = with_settings({}, settings_of("{}"));
  ASSERT_TRUE(request);
  EXPECT_FALSE(request->reruns || request->rerun_delay || request->output || request->fail_on_flaky);
  EXPECT_THAT(request->only_rerun, IsEmpty());
}

TEST(RunSettings, PathsOfTheFileAreRelativeToTheFile) {
  auto settings = settings_of(R"({"junitxml":"out/run.xml","report_json":"/tmp/run.json"})");
  auto request = with_settings({}, settings);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->junitxml, "/w/shop/out/run.xml");
  EXPECT_EQ(request->report_json, "/tmp/run.json");
  settings.config.said["run.junitxml"] = env::SaidBy::variable;
  request = with_settings({}, settings);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->junitxml, "out/run.xml");
}

TEST(RunSettings, APatternThatCannotBeReadIsAConfigErrorNamingItsKey) {
  const auto request = with_settings({}, settings_of(R"({"rerun_except":["ok","("]})"));
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().kind, ErrorKind::config);
  EXPECT_THAT(request.error().message, HasSubstr("run.rerun_except"));
}

TEST(RunSettings, TheFileTakesTheOutputsAndDistributionsThatExist) {
  EXPECT_THAT(words_of("output"), UnorderedElementsAreArray(run_outputs()));
  const auto dists = words_of("dist");
  EXPECT_FALSE(dists.empty());
  for (const auto& dist : dists) EXPECT_TRUE(dispatch::parse_dist(dist)) << dist;
}

}  // namespace
}  // namespace flakestat::app
