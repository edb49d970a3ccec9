#include "model/identity.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

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

struct FamilyCase {
  const char* name;
  const char* family;
};

// Names without the bytes of the object: addresses would rename the test in every build.
void PrintTo(const FamilyCase& param, std::ostream* out) { *out << param.name; }

class Families : public ::testing::TestWithParam<FamilyCase> {};

TEST_P(Families, FollowTheFrameworksNaming) { EXPECT_EQ(family_name(GetParam().name), GetParam().family); }

INSTANTIATE_TEST_SUITE_P(Go, Families,
                         ::testing::Values(FamilyCase{"TestParse/empty_input#01", "TestParse/empty_input#01"},
                                           FamilyCase{"TestParse/a(b)", "TestParse/a"},
                                           FamilyCase{"TestParse/#00", "TestParse/#00"},
                                           FamilyCase{"TestMap/map[a:1]", "TestMap/map"},
                                           FamilyCase{"FuzzX/seed#0", "FuzzX/seed#0"},
                                           FamilyCase{"ExampleNew (output)", "ExampleNew"}));
INSTANTIATE_TEST_SUITE_P(GoogleTest, Families,
                         ::testing::Values(FamilyCase{"Works/0", "Works/0"},
                                           FamilyCase{"Works/Named_12", "Works/Named_12"},
                                           FamilyCase{"DISABLED_Works", "DISABLED_Works"},
                                           FamilyCase{"Works (GetParam() = 3)", "Works"}));
INSTANTIATE_TEST_SUITE_P(Jest, Families,
                         ::testing::Values(FamilyCase{"Counter adds 1 + 2 to equal 3", "Counter adds 1 + 2 to equal 3"},
                                           FamilyCase{"math adds (1, 2)", "math adds"},
                                           FamilyCase{"list renders [] as empty", "list renders [] as empty"},
                                           FamilyCase{"list renders [1, [2]]", "list renders"},
                                           FamilyCase{"handles :) smileys", "handles :) smileys"},
                                           FamilyCase{"ends with :)", "ends with :)"}));
INSTANTIATE_TEST_SUITE_P(Java, Families,
                         ::testing::Values(FamilyCase{"param(String)[3]", "param"},
                                           FamilyCase{"shouldAdd(int, int)[1]", "shouldAdd"},
                                           FamilyCase{"testFoo[0: a=[1]]", "testFoo"},
                                           FamilyCase{"testFoo{int}[2]", "testFoo{int}"},
                                           FamilyCase{"[1] first argument", "[1] first argument"},
                                           FamilyCase{"repetition 1 of 5", "repetition 1 of 5"}));
INSTANTIATE_TEST_SUITE_P(Swift, Families,
                         ::testing::Values(FamilyCase{"testLogin()", "testLogin"},
                                           FamilyCase{"login(user:password:)", "login"},
                                           FamilyCase{"parses(_:) (.caseA)", "parses"},
                                           FamilyCase{"-[LoginTests testLogin]", "-"}));
INSTANTIATE_TEST_SUITE_P(Pytest, Families,
                         ::testing::Values(FamilyCase{"test_x[a-b]", "test_x"},
                                           FamilyCase{"test_x[[1, 2]-(3)]", "test_x"},
                                           FamilyCase{"test_x[a]b", "test_x[a]b"},
                                           FamilyCase{"test_x[päram]", "test_x"}));

TEST(Identity, FamilyOfUnbalancedNamesTakesLinearTime) {
  const std::string closing(1 << 20, ')');
  EXPECT_EQ(family_name(closing), closing);
  std::string groups = "t";
  for (int i = 0; i < 200'000; ++i) groups += "(x)";
  EXPECT_EQ(family_name(groups), "t");
}

TEST(Identity, DigesterEqualsTestIdForNeighboursOfEveryKind) {
  TestIdDigester digest;
  for (const auto* suite : {"", "s", "päckage"}) {
    for (const auto* class_name : {"", "s", "K"}) {
      for (const auto* name : {"", "t", "t[1]"}) {
        EXPECT_EQ(digest(suite, class_name, name), test_id(suite, class_name, name));
      }
    }
  }
}

TEST(Identity, NameShapeIsEqualForGeneratedParts) {
  EXPECT_EQ(name_shape("rspec --seed 1234"), name_shape("rspec --seed 56789"));
  EXPECT_EQ(name_shape("upload 3f2a9c1e77b3d810 ok"), "upload 0 ok");
  EXPECT_EQ(name_shape("job 0b9e5d1c-12f4-4c3a-9d2e-aabbccddeeff"),
            name_shape("job ffffffff-0001-9999-0000-0123456789ab"));
  EXPECT_EQ(name_shape("effaced facade"), "effaced facade");
  EXPECT_EQ(name_shape(std::string(1 << 20, 'a')).size(), 1u << 20);
  EXPECT_NE(name_shape("adds 1"), name_shape("subs 1"));
}

TEST(Identity, DisplayName) {
  EXPECT_EQ(display_name("suite", "Class", "t"), "Class::t");
  EXPECT_EQ(display_name("suite", "suite", "t"), "suite::t");
  EXPECT_EQ(display_name("suite", "", "t"), "suite::t");
  EXPECT_EQ(display_name("", "", "t"), "t");
}

}  // namespace
}  // namespace flakestat
