#include "sys/mount_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::sys {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MountTable, MountPointsAreReadWithTheirEscapes) {
  EXPECT_THAT(mount_points_in("22 27 0:21 / /proc rw,relatime - proc proc rw\n"
                              "30 27 0:9 / /a\\040b/c\\134d\\012e rw shared:1 - tmpfs tmpfs rw\n"),
              ElementsAre("/proc", "/a b/c\\d\ne"));
}

TEST(MountTable, LinesThatAreNoneAreLeftOut) {
  EXPECT_THAT(mount_points_in(""), IsEmpty());
  EXPECT_THAT(mount_points_in("22 27 0:21\n\n"), IsEmpty());
}

TEST(MountTable, ABackslashWithoutThreeDigitsIsItself) {
  EXPECT_THAT(mount_points_in("1 2 0:1 / /a\\04 rw - t t rw\n2 2 0:1 / /b\\089 rw - t t rw"),
              ElementsAre("/a\\04", "/b\\089"));
}

TEST(TopmostBelow, OnlyTheOutermostOfEachPlaceAndNeverTheFolderItself) {
  EXPECT_THAT(topmost_below({"/", "/w", "/w/b/c", "/w/b", "/w/b", "/w/a", "/wide", "/w/ab"}, "/w"),
              ElementsAre("/w/a", "/w/ab", "/w/b"));
}

TEST(MountsBelow, TheRootHoldsProc) {
  const auto below = mounts_below("/");
  ASSERT_TRUE(below);
  EXPECT_THAT(*below, ::testing::Contains("/proc"));
}

}  // namespace
}  // namespace flakestat::sys
