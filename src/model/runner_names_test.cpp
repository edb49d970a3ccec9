#include "model/runner_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat {
namespace {

using ::testing::Contains;
using ::testing::Not;

TEST(PytestName, ClassesAreWhatTheDottedClassHasBeyondTheFile) {
  EXPECT_EQ(pytest_name({"pytest", "tests.test_a.TestOne.TestInner", "test_x[p|q]", "tests/test_a.py"}).name,
            "tests/test_a.py::TestOne::TestInner::test_x[p|q]");
  EXPECT_EQ(pytest_name({"pytest", "tests.test_a.lower_class", "test_x", "tests/test_a.py"}).name,
            "tests/test_a.py::lower_class::test_x");
  EXPECT_EQ(pytest_name({"pytest", "tests.Test_a", "test_x", "tests/Test_a.py"}).name, "tests/Test_a.py::test_x");
}

TEST(PytestName, TheFileMayLieDeeperThanTheClassSays) {
  EXPECT_EQ(pytest_name({"pytest", "test_a.TestOne", "test_x", "sub/test_a.py"}).name,
            "sub/test_a.py::TestOne::test_x");
}

TEST(PytestName, WithoutAFileACapitalLetterBeginsTheClasses) {
  EXPECT_EQ(pytest_name({"pytest", "tests.test_a.TestOne", "test_x", ""}).name, "tests/test_a.py::TestOne::test_x");
  EXPECT_EQ(pytest_name({"pytest", "tests.test_a", "test_x", ""}).name, "tests/test_a.py::test_x");
}

TEST(PytestName, ACollectionErrorIsNoTest) {
  EXPECT_NE(pytest_name({"pytest", "pytest", "tests.test_err", ""}).problem, "");
  EXPECT_NE(pytest_name({"pytest", "tests.test_a", "", ""}).problem, "");
}

TEST(UnittestName, ASubtestIsSkippedByItsTest) {
  EXPECT_EQ(unittest_name({"a.One", "a.One", "test_x", ""}).name, "a.One.test_x");
  EXPECT_EQ(unittest_name({"s", "tests.test_a.One", "test_sub (i=1, s='a b[/]')", ""}).name,
            "tests.test_a.One.test_sub");
}

TEST(UnittestName, ASuiteThatIsNamedAfterTheClassIsNoFailedSetUp) {
  EXPECT_EQ(unittest_name({"tests.test_a.One", "tests.test_a.One", "test_x", ""}).name, "tests.test_a.One.test_x");
}

TEST(UnittestName, ParenthesesThatHoldNoParameterBelongToTheMethod) {
  EXPECT_EQ(unittest_name({"s", "a.One", "test_x (y)", ""}).name, "a.One.test_x (y)");
  EXPECT_EQ(unittest_name({"s", "a.One", "test_x (y) (i=1)", ""}).name, "a.One.test_x (y)");
  EXPECT_EQ(unittest_name({"s", "a.One", "test_x (y) z", ""}).name, "a.One.test_x (y) z");
}

TEST(UnittestName, SetUpAndImportErrorsAreNoTests) {
  EXPECT_NE(unittest_name({"s", "unittest.loader._FailedTest", "tests.test_b", ""}).problem, "");
  EXPECT_NE(
      unittest_name({"unittest.suite._ErrorHolder", "unittest.suite._ErrorHolder", "setUpClass (a.B)", ""}).problem,
      "");
}

TEST(GoName, OnlyTestsOfAPackage) {
  EXPECT_EQ(go_name({"example.com/p", "example.com/p", "TestOdd/a_b", ""}),
            (RunnerName{"example.com/p", "TestOdd/a_b", {}}));
  EXPECT_NE(go_name({"p", "p", "setup", ""}).problem, "");
  EXPECT_NE(go_name({"p", "p", "TestMain", ""}).problem, "");
  EXPECT_NE(go_name({"", "", "TestX", ""}).problem, "");
}

TEST(JestName, TitlesStayApartWhereTheReportKeepsThem) {
  EXPECT_EQ(jest_name({"a.test.js", "Outer > Inner one", "same", ""}),
            (RunnerName{"a.test.js", "Outer > Inner one > same", {}}));
  EXPECT_EQ(jest_name({"a.test.js", "a.test.js", "top", ""}), (RunnerName{"a.test.js", "top", {}}));
  EXPECT_EQ(jest_name({"Outer", "Outer same", "Outer same", ""}), (RunnerName{"", "Outer same", {}}));
  EXPECT_EQ(blank_joined("Outer > Inner one > same"), "Outer Inner one same");
}

TEST(VitestName, AFileThatCouldNotBeLoadedIsNoTest) {
  EXPECT_EQ(vitest_name({"a.test.js", "a.test.js", "Outer > same", ""}), (RunnerName{"a.test.js", "Outer > same", {}}));
  EXPECT_NE(vitest_name({"a.test.js", "a.test.js", "a.test.js", ""}).problem, "");
}

TEST(MochaName, BothReportersGiveTheFullTitle) {
  EXPECT_EQ(mocha_name({"Mocha Tests", "Outer Inner", "same", "/p/a.js"}),
            (RunnerName{"/p/a.js", "Outer Inner same", {}}));
  EXPECT_EQ(mocha_name({"Inner", "same", "Outer Inner same", ""}), (RunnerName{"", "Outer Inner same", {}}));
  EXPECT_EQ(mocha_name({"Mocha Tests", "Mocha Tests", "top", ""}), (RunnerName{"", "top", {}}));
  EXPECT_NE(mocha_name({"Mocha Tests", "SetUp", "\"before all\" hook for \"a\"", ""}).problem, "");
}

TEST(GtestName, WhatTheFilterCannotSayIsLeftOut) {
  EXPECT_EQ(gtest_name({"Inst/P", "Inst/P", "T/0", ""}).name, "Inst/P.T/0");
  EXPECT_NE(gtest_name({"S", "S", "a b", ""}).problem, "");
}

TEST(JavaName, MethodsWithoutTheirParameters) {
  EXPECT_EQ(java_name({"p.T", "p.T", "param(String)[3]", ""}), (RunnerName{"p.T", "param", {}}));
  EXPECT_EQ(java_name({"p.T", "p.T$In", "same", ""}), (RunnerName{"p.T$In", "same", {}}));
  EXPECT_EQ(java_name({"p.T", "p.T", "pass[a b]", ""}), (RunnerName{"p.T", "pass", {}}));
  EXPECT_NE(java_name({"p.T", "p.T", "adds two numbers", ""}).problem, "");
  EXPECT_NE(java_name({"p.T", "p.T", "", ""}).problem, "");
}

TEST(RunnerNames, AScopeThatCouldReachFurtherIsNone) {
  for (const auto* scope : {"p.T\n**/*Test", "*", "p.T,p.U", "%regex[.*]", "p.T "}) {
    EXPECT_NE(java_name({"s", scope, "m", ""}).problem, "") << scope;
  }
  EXPECT_NE(go_name({"p\tq", "p", "TestA", ""}).problem, "");
  EXPECT_NE(rust_name({"a --no-run", "a", "t", ""}).problem, "");
  EXPECT_NE(playwright_name({"a\nb.spec.ts", "", "t", ""}).problem, "");
}

TEST(RustName, NeedsTheBinary) {
  EXPECT_EQ(rust_name({"sample::it", "sample::it", "tests::pass", ""}), (RunnerName{"sample::it", "tests::pass", {}}));
  EXPECT_NE(rust_name({"test", "test", "tests::pass", ""}).problem, "");
}

TEST(PhpunitName, TheClassKeepsItsBackslashes) {
  EXPECT_EQ(phpunit_name({"Sub\\BTest::testOdd", "Sub.BTest", "testOdd with data set \"a b\"", ""}).name,
            "Sub\\BTest::testOdd with data set \"a b\"");
  EXPECT_EQ(phpunit_name({"all", "Sub.BTest", "testX", ""}).name, "Sub\\BTest::testX");
}

TEST(MinitestName, AReportThatLostItsClassesCannotBeUsed) {
  EXPECT_EQ(minitest_name({"A", "A", "test_x", ""}).name, "A#test_x");
  EXPECT_NE(minitest_name({"Minitest::Result", "Minitest::Result", "test_x", ""}).problem, "");
}

TEST(FrameworkIds, HoldEachRunnersSpelling) {
  EXPECT_THAT(framework_ids({"pytest", "tests.test_a.TestOne", "test_x", "tests/test_a.py"}),
              Contains("tests/test_a.py::TestOne::test_x"));
  EXPECT_THAT(framework_ids({"Suite", "Suite", "T", ""}), Contains("Suite.T"));
  EXPECT_THAT(framework_ids({"p.C", "p.C", "m", ""}), Contains("p.C#m"));
  EXPECT_THAT(framework_ids({"(empty)", "odd name", "odd name", ""}), Contains("odd name"));
}

TEST(FrameworkIds, ABareNameIsNoIdWhereThereIsAClass) {
  EXPECT_THAT(framework_ids({"pytest", "tests.test_a", "test_x", ""}), Not(Contains("test_x")));
}

}  // namespace
}  // namespace flakestat
