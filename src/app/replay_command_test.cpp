#include "app/replay_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

store::HuntRecord record() {
  store::HuntRecord record;
  record.run_id = "r";
  record.directory = "/shop";
  record.junit = "out/{run}.xml";
  record.timeout_ms = 1500;
  record.variables = {{"FLAKESTAT_RUN", "{run}"}};
  record.commands = {{{"pytest", "--junitxml={junit}", "--seed={run}"}, false, {}},
                     {{"pytest", "{run}", "a::b"}, true, {"a::b"}}};
  return record;
}

store::RecordedRun run(int number, std::optional<std::size_t> command) {
  store::RecordedRun run;
  run.run = number;
  run.command = command;
  return run;
}

TEST(Replay, RunAndReportAreFilledInAsThen) {
  const auto spec = replay_spec(record(), run(7, 0));
  ASSERT_TRUE(spec.ok());
  EXPECT_THAT(spec->argv, ElementsAre("pytest", "--junitxml=/shop/out/7.xml", "--seed=7"));
  EXPECT_THAT(spec->environment, ElementsAre(std::pair("FLAKESTAT_RUN", "7")));
  EXPECT_EQ(spec->directory, "/shop");
  EXPECT_EQ(spec->limits.timeout, std::chrono::milliseconds(1500));
}

TEST(Replay, ACommandOfTheRunsOwnIsTakenAsItIs) {
  const auto spec = replay_spec(record(), run(7, 1));
  ASSERT_TRUE(spec.ok());
  EXPECT_THAT(spec->argv, ElementsAre("pytest", "{run}", "a::b"));
}

TEST(Replay, ACommandThatWasNotRecordedIsAnError) {
  const auto spec = replay_spec(record(), run(7, std::nullopt));
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().kind, ErrorKind::missing);
  EXPECT_THAT(spec.error().message, HasSubstr("run 7 of hunt r"));
}

TEST(Replay, NamedVariablesAreAsTheyWere) {
  auto hunt = record();
  hunt.recorded = {{"TZ", "Europe/Berlin"}, {"SEED", std::nullopt}, {"EMPTY", ""}};
  const auto spec = replay_spec(hunt, run(7, 0));
  ASSERT_TRUE(spec.ok());
  EXPECT_THAT(spec->environment,
              ElementsAre(std::pair("TZ", "Europe/Berlin"), std::pair("EMPTY", ""), std::pair("FLAKESTAT_RUN", "7")));
  EXPECT_THAT(spec->unset, ElementsAre("SEED"));
}

TEST(ShellLine, DirectoryVariablesAndWords) {
  sys::ChildSpec spec;
  spec.directory = "/my shop";
  spec.environment = {{"FLAKESTAT_RUN", "7"}, {"K", "a b"}, {"EMPTY", ""}};
  spec.argv = {"pytest", "-k", "not slow"};
  EXPECT_EQ(shell_line(spec), "cd -- '/my shop' && FLAKESTAT_RUN=7 K='a b' EMPTY= pytest -k 'not slow'");
}

TEST(ShellLine, WhatAShellCannotAssignGoesThroughEnv) {
  sys::ChildSpec spec;
  spec.directory = "/d";
  spec.environment = {{"my.name", "a b"}};
  spec.unset = {"SEED"};
  spec.argv = {"t"};
  EXPECT_EQ(shell_line(spec), "cd -- /d && env -u SEED 'my.name=a b' t");
}

TEST(ShellLine, NothingOfItSteersATerminal) {
  sys::ChildSpec spec;
  spec.directory = "/\x1b[2J";
  spec.environment = {{"A", "\n"}};
  spec.argv = {"t", "\xff"};
  EXPECT_EQ(shell_line(spec), "cd -- $'/\\033[2J' && A=$'\\012' t $'\\377'");
}

}  // namespace
}  // namespace flakestat::app
