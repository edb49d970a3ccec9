#include "model/identity.hpp"

#include <gtest/gtest.h>

namespace flakestat {
namespace {

TEST(Identity, TestIdIsDigestOfSuiteClassName) {
  EXPECT_EQ(to_hex(test_id("pytest", "tests.test_auth.TestAuth", "test_login[oauth]")), "4e9290bb4d9fcbbb");
  EXPECT_EQ(to_hex(test_id("s", "s", "t")), "e12be88245622a3c");
  EXPECT_EQ(to_hex(test_id("päckage", "Klasse", "tést")), "48d371b2bde1c437");
}

TEST(Identity, FamilyStripsParameters) {
  EXPECT_EQ(to_hex(family_id("pytest", "tests.test_auth.TestAuth", "test_login[oauth]")), "caf76695de413423");
  EXPECT_EQ(family_name("test_x[a[b]]"), "test_x");
  EXPECT_EQ(family_name("param(String)[3]"), "param");
  EXPECT_EQ(family_name("testFoo()"), "testFoo");
  EXPECT_EQ(family_name("f(a(b)c)"), "f");
  EXPECT_EQ(family_name("adds 1 + 1 (fast)"), "adds 1 + 1");
}

TEST(Identity, NameThatIsOnlyAGroupStays) {
  EXPECT_EQ(family_name("[a]"), "[a]");
  EXPECT_EQ(family_name("(a)"), "(a)");
  EXPECT_EQ(family_name(""), "");
  EXPECT_EQ(family_name("a)"), "a)");
  EXPECT_EQ(family_name("a]"), "a]");
}

TEST(Identity, SubtestsAndGtestIndicesAreNoGroups) {
  EXPECT_EQ(family_name("TestOdd/a_b"), "TestOdd/a_b");
  EXPECT_EQ(family_name("Works/0"), "Works/0");
}

TEST(Identity, DisplayName) {
  EXPECT_EQ(display_name("suite", "Class", "t"), "Class::t");
  EXPECT_EQ(display_name("suite", "suite", "t"), "suite::t");
  EXPECT_EQ(display_name("suite", "", "t"), "suite::t");
  EXPECT_EQ(display_name("", "", "t"), "t");
}

}  // namespace
}  // namespace flakestat
