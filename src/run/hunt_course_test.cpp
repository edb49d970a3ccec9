#include "run/hunt_course.hpp"

#include <gtest/gtest.h>

namespace flakestat::run {
namespace {

CourseFacts facts(int running, int ended) {
  CourseFacts now;
  now.running = running;
  now.ended = ended;
  return now;
}

CourseFacts doubtful(int running, int ended) {
  auto now = facts(running, ended);
  now.doubtful = true;
  return now;
}

TEST(HuntCourse, WithoutParallelOneRunFollowsTheOtherAlone) {
  HuntCourse course({3, 1, 5});
  for (int run = 1; run <= 3; ++run) {
    const auto order = course.next(facts(0, run - 1));
    ASSERT_TRUE(order);
    EXPECT_EQ(order->run, run);
    EXPECT_EQ(order->mode, RunMode::alone);
    EXPECT_FALSE(course.next(facts(1, run - 1)));
  }
  EXPECT_FALSE(course.next(facts(0, 3)));
}

TEST(HuntCourse, RunOneIsAloneAndTheOthersWaitForIt) {
  HuntCourse course({4, 2, 5});
  EXPECT_EQ(course.next(facts(0, 0))->mode, RunMode::alone);
  EXPECT_FALSE(course.next(facts(1, 0)));
  EXPECT_EQ(course.next(facts(0, 1))->mode, RunMode::beside);
  EXPECT_EQ(course.next(facts(1, 1))->run, 3);
  EXPECT_FALSE(course.next(facts(2, 1)));
  EXPECT_EQ(course.next(facts(1, 2))->run, 4);
}

TEST(HuntCourse, DoubtIsVerifiedAloneAfterEveryCopyHasEnded) {
  HuntCourse course({2, 2, 2});
  EXPECT_TRUE(course.next(facts(0, 0)));
  EXPECT_TRUE(course.next(facts(0, 1)));
  EXPECT_FALSE(course.next(doubtful(1, 1)));
  const auto order = course.next(doubtful(0, 2));
  ASSERT_TRUE(order);
  EXPECT_EQ(order->run, 3);
  EXPECT_EQ(order->mode, RunMode::alone);
  EXPECT_EQ(order->purpose, RunPurpose::verify);
  EXPECT_TRUE(course.next(doubtful(0, 3)));
  EXPECT_FALSE(course.next(doubtful(0, 4))) << "two were allowed";
  EXPECT_EQ(course.verifying(), 2);
}

TEST(HuntCourse, WhatIsReproducedIsNotVerifiedFurther) {
  HuntCourse course({2, 2, 5});
  EXPECT_TRUE(course.next(facts(0, 0)));
  EXPECT_TRUE(course.next(facts(0, 1)));
  EXPECT_TRUE(course.next(doubtful(0, 2)));
  EXPECT_FALSE(course.next(facts(0, 3)));
}

TEST(HuntCourse, RunsAloneNeedNoVerification) {
  HuntCourse course({1, 1, 5});
  EXPECT_TRUE(course.next(facts(0, 0)));
  EXPECT_FALSE(course.next(doubtful(0, 1)));
}

TEST(HuntCourse, EnoughEndsMeasuringForGoodAndStillVerifies) {
  HuntCourse course({10, 2, 5});
  EXPECT_TRUE(course.next(facts(0, 0)));
  EXPECT_TRUE(course.next(facts(0, 1)));
  auto enough = doubtful(0, 2);
  enough.enough = true;
  EXPECT_EQ(course.next(enough)->purpose, RunPurpose::verify);
  EXPECT_EQ(course.next(doubtful(0, 3))->purpose, RunPurpose::verify);
}

TEST(HuntCourse, StoppedStartsNothing) {
  HuntCourse course({10, 2, 5});
  auto stopped = doubtful(0, 3);
  stopped.stopped = true;
  EXPECT_FALSE(course.next(stopped));
}

TEST(HuntCourse, TooLateForAnotherRunEndsTheHuntForGood) {
  HuntCourse course({10, 1, 5});
  EXPECT_TRUE(course.next(facts(0, 0)));
  auto late = facts(0, 1);
  late.late = true;
  EXPECT_FALSE(course.next(late));
  EXPECT_TRUE(course.cut_short());
  EXPECT_FALSE(course.next(facts(0, 1))) << "a clock that jumps back begins nothing";
}

TEST(HuntCourse, ItIsNotTooLateWhenEveryRunWasMade) {
  HuntCourse course({1, 1, 5});
  EXPECT_TRUE(course.next(facts(0, 0)));
  auto late = facts(0, 1);
  late.late = true;
  EXPECT_FALSE(course.next(late));
  EXPECT_FALSE(course.cut_short());
}

TEST(HuntCourse, TooLateToVerifyCutsShortAsWell) {
  HuntCourse course({2, 2, 5});
  EXPECT_TRUE(course.next(facts(0, 0)));
  EXPECT_TRUE(course.next(facts(0, 1)));
  auto late = doubtful(0, 2);
  late.late = true;
  EXPECT_FALSE(course.next(late));
  EXPECT_TRUE(course.cut_short());
}

}  // namespace
}  // namespace flakestat::run
