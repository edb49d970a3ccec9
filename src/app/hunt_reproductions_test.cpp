#include "app/hunt_reproductions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// `a b!` : a passed, b failed.
run::RunEvidence evidence(int number, const std::string& tests) {
  run::RunEvidence out;
  out.run = number;
  for (const char c : tests) {
    if (c == '!') out.cases.back().status = Status::fail;
    if (c == '!' || c == ' ') continue;
    Case each;
    each.suite = each.class_name = "s";
    each.name = std::string(1, c);
    out.cases.push_back(each);
  }
  out.outcomes = run::outcomes_of(out.cases);
  return out;
}

std::vector<std::string> chosen(const std::vector<std::string>& runs, const std::vector<std::string>& contended = {}) {
  Reproductions reproductions;
  for (std::size_t i = 0; i < runs.size(); ++i) reproductions.add(evidence(static_cast<int>(i) + 1, runs[i]));
  std::vector<run::Doubt> doubts;
  for (const auto& name : contended) doubts.push_back({{{"s", "s", name, ""}, {}, {}}, false});
  std::vector<std::string> out;
  for (const auto& each : reproductions.choose(doubts, 3)) out.push_back(each.test + " " + std::to_string(each.run));
  return out;
}

TEST(Reproductions, WithoutADisagreementThereIsNone) { EXPECT_THAT(chosen({"a b!", "a b!"}), IsEmpty()); }

TEST(Reproductions, TheLastRunInWhichADisagreeingTestFailed) {
  EXPECT_THAT(chosen({"a!", "a", "a!", "a"}), ElementsAre("s::a 3"));
  EXPECT_THAT(chosen({"a! b!", "b!", "a b!"}), ElementsAre("s::a 1"));
}

TEST(Reproductions, ARunStandsForAllItsTestsAndThereAreThree) {
  EXPECT_THAT(chosen({"a b c d e", "a! b!", "c!", "d!", "e!"}), ElementsAre("s::a 2", "s::c 3", "s::d 4"));
}

TEST(Reproductions, WhatTheCopiesMayHaveDoneComesLast) {
  EXPECT_THAT(chosen({"a b", "a!", "b!"}, {"a"}), ElementsAre("s::b 3", "s::a 2"));
}

TEST(Reproductions, TheCommandAsAWholeIsATestToo) {
  Reproductions reproductions;
  for (const int number : {1, 2}) {
    auto run = evidence(number, "");
    run.suite_level = Case{};
    run.suite_level->suite = run.suite_level->class_name = "(command)";
    run.suite_level->name = "t";
    run.suite_level->status = number == 2 ? Status::fail : Status::pass;
    run.outcomes = flakestat::run::outcomes_of({&*run.suite_level, 1});
    reproductions.add(run);
  }
  const auto found = reproductions.choose({}, 3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].run, 2);
}

}  // namespace
}  // namespace flakestat::app
