#include "sys/child_ending.hpp"

#include <gtest/gtest.h>

namespace flakestat::sys {
namespace {

using namespace std::chrono_literals;

constexpr EndingLimits kLimits{10'000ms, 2'000ms, 200ms, 3'000ms};

EndingFacts at(std::chrono::milliseconds now) { return {now, false, true, Interrupt::none}; }
EndingFacts ended(std::chrono::milliseconds now, bool others) { return {now, true, others, Interrupt::none}; }
EndingFacts gone(std::chrono::milliseconds now) { return ended(now, false); }
EndingFacts interrupted(std::chrono::milliseconds now, Interrupt level) { return {now, false, true, level}; }

TEST(Ending, ACommandThatEndsAloneFinishesAtOnce) {
  Ending ending(kLimits, 0ms);
  EXPECT_EQ(ending.step(at(5ms)).action, EndingAction::wait);
  EXPECT_EQ(ending.step(gone(6ms)).until, 6ms);
  EXPECT_EQ(ending.step(gone(6ms)).action, EndingAction::finish);
  EXPECT_EQ(ending.cause(), EndingCause::by_itself);
  EXPECT_FALSE(ending.leaked());
}

TEST(Ending, WithoutATimeoutACommandMayRunForever) {
  Ending ending({}, 0ms);
  const auto step = ending.step(at(1'000'000'000ms));
  EXPECT_EQ(step.action, EndingAction::wait);
  EXPECT_EQ(step.until, std::nullopt);
}

TEST(Ending, ATimeoutTerminatesThenKillsAfterTheGrace) {
  Ending ending(kLimits, 100ms);
  EXPECT_EQ(ending.step(at(100ms)).until, 10'100ms);
  EXPECT_EQ(ending.step(at(10'099ms)).action, EndingAction::wait);
  EXPECT_EQ(ending.step(at(10'100ms)).action, EndingAction::terminate);
  EXPECT_EQ(ending.step(at(12'099ms)).action, EndingAction::wait);
  EXPECT_EQ(ending.step(at(12'100ms)).action, EndingAction::kill);
  EXPECT_EQ(ending.step(gone(12'110ms)).action, EndingAction::finish);
  EXPECT_EQ(ending.cause(), EndingCause::timed_out);
  EXPECT_FALSE(ending.leaked());
}

TEST(Ending, KillingIsRepeatedUntilNothingForksAnyMore) {
  Ending ending({10ms, 0ms, 0ms, 100ms}, 0ms);
  EXPECT_EQ(ending.step(at(10ms)).action, EndingAction::terminate);
  EXPECT_EQ(ending.step(at(10ms)).action, EndingAction::kill);
  EXPECT_EQ(ending.step(at(12ms)).action, EndingAction::kill);
  EXPECT_EQ(ending.step(ended(14ms, true)).action, EndingAction::kill);
  EXPECT_EQ(ending.step(gone(16ms)).action, EndingAction::finish);
}

TEST(Ending, WhatCannotBeKilledIsGivenUpAfterAWhile) {
  Ending ending({10ms, 0ms, 0ms, 100ms}, 0ms);
  (void)ending.step(at(10ms));
  EXPECT_EQ(ending.step(at(10ms)).action, EndingAction::kill);
  EXPECT_EQ(ending.step(at(109ms)).action, EndingAction::kill);
  EXPECT_EQ(ending.step(at(110ms)).action, EndingAction::finish);
}

TEST(Ending, ChildrenThatOutliveTheCommandGetAMomentThenTermThenKill) {
  Ending ending(kLimits, 0ms);
  (void)ending.step(ended(50ms, true));
  EXPECT_EQ(ending.step(ended(51ms, true)).until, 250ms);
  EXPECT_FALSE(ending.leaked());
  EXPECT_EQ(ending.step(ended(250ms, true)).action, EndingAction::terminate);
  EXPECT_TRUE(ending.leaked());
  EXPECT_EQ(ending.step(ended(2'250ms, true)).action, EndingAction::kill);
  EXPECT_EQ(ending.cause(), EndingCause::by_itself);
}

TEST(Ending, AChildThatEndsInThatMomentIsNoLeak) {
  Ending ending(kLimits, 0ms);
  (void)ending.step(ended(50ms, true));
  EXPECT_EQ(ending.step(ended(60ms, true)).action, EndingAction::wait);
  EXPECT_EQ(ending.step(gone(70ms)).action, EndingAction::finish);
  EXPECT_FALSE(ending.leaked());
}

TEST(Ending, TheTimeoutIsTheCommandsNotItsLeaks) {
  Ending ending(kLimits, 0ms);
  (void)ending.step(ended(9'999ms, true));
  (void)ending.step(ended(10'300ms, true));
  EXPECT_EQ(ending.cause(), EndingCause::by_itself);
}

TEST(Ending, TheFirstInterruptTerminatesTheSecondKills) {
  Ending ending(kLimits, 0ms);
  EXPECT_EQ(ending.step(interrupted(5ms, Interrupt::finish)).action, EndingAction::terminate);
  EXPECT_EQ(ending.step(interrupted(6ms, Interrupt::finish)).action, EndingAction::wait);
  EXPECT_EQ(ending.step(interrupted(7ms, Interrupt::now)).action, EndingAction::kill);
  EXPECT_EQ(ending.cause(), EndingCause::interrupted);
}

TEST(Ending, AnInterruptThatCannotWaitKillsAtOnce) {
  Ending ending(kLimits, 0ms);
  EXPECT_EQ(ending.step(interrupted(5ms, Interrupt::now)).action, EndingAction::kill);
}

TEST(Ending, SecondInterruptWhileDrainingATimeoutKillsAndStaysATimeout) {
  Ending ending(kLimits, 0ms);
  EXPECT_EQ(ending.step(at(10'000ms)).action, EndingAction::terminate);
  EXPECT_EQ(ending.step(interrupted(10'001ms, Interrupt::finish)).action, EndingAction::wait);
  EXPECT_EQ(ending.step(interrupted(10'002ms, Interrupt::now)).action, EndingAction::kill);
  EXPECT_EQ(ending.cause(), EndingCause::timed_out);
}

TEST(Ending, ACommandThatEndedBeforeTheInterruptEndedByItself) {
  Ending ending(kLimits, 0ms);
  (void)ending.step({50ms, true, true, Interrupt::finish});
  EXPECT_EQ(ending.step({50ms, true, true, Interrupt::finish}).action, EndingAction::terminate);
  EXPECT_EQ(ending.cause(), EndingCause::by_itself);
}

}  // namespace
}  // namespace flakestat::sys
