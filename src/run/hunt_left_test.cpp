// What a hunt tells of a run while its files are there, and of the tests after it.
#include <gmock/gmock.h>

#include "run/hunt_test_world.hpp"

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

using HuntLeft = HuntWorld;

sys::ChildResult says(int code, const std::string& text) {
  auto result = exits(code);
  result.output.append(text);
  return result;
}

TEST_F(HuntLeft, CommandOutputAndReportOfEveryRunAreToldBeforeTheNextRunOverwritesThem) {
  plan_.junit = "report.txt";
  plan_.runs = 2;
  plan_.command = {"suite", "--seed={run}"};
  hunt([&](int run) {
    folder_.write("report.txt", run == 1 ? "fail a end end" : "pass a end end");
    return says(run == 1 ? 1 : 0, "run " + std::to_string(run));
  });
  ASSERT_THAT(left_, SizeIs(2));
  EXPECT_THAT(left_[0].argv, ElementsAre("suite", "--seed=1"));
  EXPECT_EQ(left_[0].output, "run 1");
  EXPECT_THAT(left_[0].reports, ElementsAre("fail a end end"));
  EXPECT_THAT(left_[1].reports, ElementsAre("pass a end end"));
}

TEST_F(HuntLeft, APartOfAReportIsToldToo) {
  plan_.runs = 1;
  hunt([&](int run) {
    report(run, "pass a", false);
    return ends(sys::ChildEnd::timed_out);
  });
  ASSERT_THAT(left_, SizeIs(1));
  EXPECT_THAT(left_[0].reports, ElementsAre(StartsWith("pass a")));
}

TEST_F(HuntLeft, WhatWasInterruptedOrNeverBeganLeavesNothing) {
  plan_.runs = 2;
  hunt([&](int run) {
    if (run == 1) report(run, "pass a");
    return run == 1 ? exits(0) : ends(sys::ChildEnd::interrupted);
  });
  EXPECT_THAT(left_, SizeIs(1));
  left_.clear();
  EXPECT_FALSE(try_hunt([](int) { return ends(sys::ChildEnd::failed_to_start, ENOENT); }).ok());
  EXPECT_THAT(left_, IsEmpty());
}

TEST_F(HuntLeft, ItIsToldBeforeTheRunIsCalledEnded) {
  plan_.runs = 1;
  hunt([&](int run) {
    report(run, "fail a");
    return exits(1);
  });
  ASSERT_THAT(left_, SizeIs(1));
  EXPECT_EQ(left_[0].ended, 0U);
}

TEST_F(HuntLeft, AfterEachRunItIsToldWhichTestsDisagree) {
  hunt([&](int run) {
    report(run, run == 3 ? "fail a pass b" : "pass a pass b");
    return exits(run == 3 ? 1 : 0);
  });
  EXPECT_THAT(tallied_, ElementsAre(std::pair(1, 0U), std::pair(2, 0U), std::pair(3, 1U), std::pair(4, 1U)));
}

TEST_F(HuntLeft, TheOutputLimitIsSharedOutInEveryRun) {
  plan_.runs = 1;
  plan_.output_limit = 1000;
  hunt([&](int run) {
    report(run, "pass a");
    return exits(0);
  });
  ASSERT_THAT(specs_, SizeIs(1));
  EXPECT_EQ(specs_[0].head_limit, 200U);
  EXPECT_EQ(specs_[0].tail_limit, 800U);
}

}  // namespace
}  // namespace flakestat::run
