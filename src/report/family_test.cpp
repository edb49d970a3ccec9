#include "report/family.hpp"

#include <gtest/gtest.h>

#include "report/samples.hpp"

namespace flakestat::report {
namespace {

TEST(Family, ParametersOfOneTestAreOneFamily) {
  const std::vector tests = {samples::flaky("test_login[oauth]", 0.3, 0.1, 9, 1), samples::broken("test_pay", 5),
                             samples::stable("test_login[basic]", 20), samples::stable("test_login", 20)};
  const auto families = group_families(tests);
  ASSERT_EQ(families.size(), 2U);
  const auto& login = families[0];
  EXPECT_EQ(login.name, "test_login");
  EXPECT_EQ(login.members.size(), 3U);
  EXPECT_EQ(login.worst().verdict, Verdict::flaky);
  EXPECT_EQ(login.runs, 50U);
  EXPECT_EQ(login.passes, 49U);
  EXPECT_EQ(login.fails, 1U);
  EXPECT_DOUBLE_EQ(login.score, 0.3);
  EXPECT_EQ(describe_members(login), "3 tests: 1 flaky, 2 stable");
}

TEST(Family, EqualNamesInOtherClassesAreOtherFamilies) {
  const std::vector tests = {samples::score("s", "A", "t[1]", Verdict::stable),
                             samples::score("s", "B", "t[1]", Verdict::stable)};
  EXPECT_EQ(group_families(tests).size(), 2U);
}

TEST(Family, MembersKeepTheirVerdicts) {
  const std::vector tests = {samples::flaky("t[1]", 0.3, 0.1, 9, 1), samples::stable("t[2]", 20)};
  const auto families = group_families(tests);
  EXPECT_EQ(families[0].members[1]->verdict, Verdict::stable);
  EXPECT_EQ(tests[1].verdict, Verdict::stable);
}

}  // namespace
}  // namespace flakestat::report
