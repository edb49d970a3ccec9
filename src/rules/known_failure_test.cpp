#include "rules/known_failure.hpp"

#include <gtest/gtest.h>

#include "rules/gate_fixture.hpp"

namespace flakestat::rules {
namespace {

using fixture::Runs;

bool is_known(const std::string& outcomes) {
  Runs runs;
  runs.runs("t", outcomes);
  return known_failures(runs.book(), {0}).contains(0);
}

TEST(KnownFailure, OnePassAmongManyFailures) {
  EXPECT_TRUE(is_known(std::string(50, 'F') + "PFFFFF"));
  EXPECT_TRUE(is_known(std::string(50, 'F') + "P"));
  EXPECT_TRUE(is_known("FFFFFPF"));
}

TEST(KnownFailure, AlsoAfterALongHealthyPast) { EXPECT_TRUE(is_known(std::string(90, 'P') + "FFFFFFFFFFPFFF")); }

TEST(KnownFailure, SkipsDoNotCount) { EXPECT_TRUE(is_known("FFSFFFSPSFF")); }

TEST(KnownFailure, ATestThatNeverPassedOrNeverFailedIsNone) {
  EXPECT_FALSE(is_known("FFFFFFFF"));
  EXPECT_FALSE(is_known("PPPPPPPP"));
}

TEST(KnownFailure, FourFailuresAreNotKnownYet) { EXPECT_FALSE(is_known("FFFFPFFF")); }

TEST(KnownFailure, TwoPassesInARowAreARepair) { EXPECT_FALSE(is_known("FFFFFFFFFFPPFFF")); }

TEST(KnownFailure, ManyPassesAreFlakiness) {
  EXPECT_FALSE(is_known("PFPFPFPFPFPFPF"));
  EXPECT_FALSE(is_known("FFFFFPFPFPFPF"));
}

TEST(KnownFailure, EveryPlaceWhereItDisagreesMustBeKnown) {
  Runs runs;
  runs.runs("t", "FFFFFFFFPF");
  runs.at.os = "windows";
  runs.runs("t", "PFPFPF");
  EXPECT_TRUE(known_failures(runs.book(), {0}).empty());
}

TEST(KnownFailure, AnotherPlaceWhereItAlwaysPassesSaysNothing) {
  Runs runs;
  runs.runs("t", "FFFFFFFFPF");
  runs.at.os = "windows";
  runs.runs("t", "PPPPPP");
  EXPECT_EQ(known_failures(runs.book(), {0}), std::set<std::uint32_t>{0});
}

}  // namespace
}  // namespace flakestat::rules
