#include "adapters/stand_in.hpp"

#include <gtest/gtest.h>

#include <string>

namespace flakestat::adapters {
namespace {

struct Row {
  const char* what;
  const char* suite;
  const char* class_name;
  const char* name;
  const char* message;
};

Case case_of(const Row& row) {
  Case each;
  each.suite = row.suite;
  each.class_name = row.class_name;
  each.name = row.name;
  each.message = row.message;
  each.status = Status::error;
  return each;
}

class StandIn : public ::testing::TestWithParam<Row> {};

TEST_P(StandIn, IsKnownByTheFormItsRunnerGivesIt) { EXPECT_TRUE(is_stand_in(case_of(GetParam()))); }

TEST_P(StandIn, IsNoneWhenItDidNotFail) {
  auto each = case_of(GetParam());
  each.status = Status::pass;
  EXPECT_FALSE(is_stand_in(each));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, StandIn,
    ::testing::Values(Row{"Surefire", "p.FiveTest", "p.FiveTest", "", "set-up"},
                      Row{"JUnit4", "p.Four", "p.Four", "initializationError", ""},
                      Row{"Gradle", "p.Four", "p.Four", "classMethod", ""},
                      Row{"Gotestsum", "example.com/x", "example.com/x", "TestMain", "Failed"},
                      Row{"Jest", "undefined", "Test suite failed to run", "Test suite failed to run", ""},
                      Row{"JestWithTitle", "a.test.js", "a.test.js", "a.test.js Test suite failed to run", ""},
                      Row{"PytestModule", "pytest", "pytest", "pkg.test_err", "collection failure"},
                      Row{"PytestNameless", "pytest", "pytest", "", ""},
                      Row{"UnittestImport", "s", "unittest.loader._FailedTest", "test_x", ""},
                      Row{"UnittestSetUp", "unittest.suite._ErrorHolder", "unittest.suite._ErrorHolder",
                          "setUpClass (tests.test_alpha.ClsErr)", ""},
                      Row{"Mocha", "Root Suite", "Outer", "\"before each\" hook for \"a\"", ""},
                      Row{"Vitest", "src/a.test.ts", "src/a.test.ts", "src/a.test.ts", "SyntaxError"},
                      Row{"NodeTest", "", "test", "/home/u/a.test.js", "exit"}),
    [](const auto& row) { return row.param.what; });

TEST(StandIns, ATestThatWasNotBuiltIsOneAlthoughItIsCalledSkipped) {
  Case each;
  each.suite = "(empty)";
  each.class_name = each.name = "t_NOT_BUILT";
  each.status = Status::skip;
  each.message = "Unable to find executable: /b/t";
  EXPECT_TRUE(is_unbuilt(each));
  EXPECT_TRUE(is_stand_in(each));
  each.message = "Disabled";
  EXPECT_FALSE(is_stand_in(each));
}

TEST(StandIns, ATestWithAnOrdinaryNameIsNone) {
  for (const auto& row :
       {Row{"", "pkg", "pkg", "TestMainMenu", ""}, Row{"", "(empty)", "shop.basket", "shop.basket", ""},
        Row{"", "pytest", "tests.test_a", "test_x", "collection failure"}, Row{"", "s", "C", "before each hook", ""},
        Row{"", "s", "C", "/api/items is served", ""}}) {
    EXPECT_FALSE(is_stand_in(case_of(row))) << row.name;
  }
}

}  // namespace
}  // namespace flakestat::adapters
