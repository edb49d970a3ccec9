#include "run/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Command = std::vector<std::string>;

Selection selection(const Command& command, SelectionFlags flags = {}) {
  auto made = selection_of(command, flags);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
  EXPECT_TRUE(made.ok() && made->has_value());
  return made.ok() && *made ? **made : Selection{};
}

std::string usage_error(const Command& command, SelectionFlags flags = {}) {
  const auto made = selection_of(command, flags);
  EXPECT_FALSE(made.ok());
  if (made.ok()) return {};
  EXPECT_EQ(made.error().kind, ErrorKind::usage);
  return made.error().message;
}

TestNames test(std::string_view name, std::string_view class_name = "C", std::string_view file = {}) {
  return {"s", class_name, name, file};
}

NarrowedCommand narrowed(const Selection& selection, std::vector<TestNames> tests) {
  return narrowed_command(selection, tests, 7, "/r/7.xml");
}

TEST(Selection, WithoutTestsAndSelectThereIsNone) {
  const auto made = selection_of({"pytest", "--junitxml={junit}"}, {});
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(made->has_value());
}

TEST(Selection, AnArgumentOfItsOwnBecomesOneArgumentATest) {
  const auto made = narrowed(selection({"t", "--o={junit}", "{tests}", "-q"}, {{}, "{class}#{name}", {}}),
                             {test("a"), test("b c", "D")});
  EXPECT_THAT(made.argv, ElementsAre("t", "--o=/r/7.xml", "C#a", "D#b c", "-q"));
}

TEST(Selection, InsideAnArgumentTheTestsAreJoined) {
  const auto made = narrowed(selection({"t", "--only={tests}!", "{run}"}, {{}, "{name}", "|"}), {test("a"), test("b")});
  EXPECT_THAT(made.argv, ElementsAre("t", "--only=a|b!", "7"));
}

TEST(Selection, AWholeRunLeavesTheArgumentsWithTestsOut) {
  EXPECT_THAT(whole_command({"t", "{tests}", "-x", "--only={tests}", "{run}"}), ElementsAre("t", "-x", "{run}"));
}

TEST(Selection, SelectIsSplitByBlanksAndQuotesAndNeverSeesAShell) {
  const auto made = selection({"run-all"}, {"one 'a b' \"$HOME;\" {tests}", "{name}", {}});
  EXPECT_THAT(made.command, ElementsAre("one", "a b", "$HOME;", "{tests}"));
  EXPECT_THAT(narrowed(made, {test("x")}).argv, ElementsAre("one", "a b", "$HOME;", "x"));
}

TEST(Selection, EveryTestIsSpelledOnce) {
  const auto made = narrowed(selection({"t", "{tests}"}, {{}, "{class}", {}}), {test("a"), test("b"), test("c", "D")});
  EXPECT_THAT(made.argv, ElementsAre("t", "C", "D"));
}

TEST(Selection, TheRunnerIsReadOffTheCommand) {
  EXPECT_EQ(selection({"python", "-m", "pytest", "{tests}"}).id, "pytest");
  EXPECT_EQ(selection({"uv", "run", ".venv/bin/pytest", "{tests}"}).id, "pytest");
  EXPECT_EQ(selection({"python3", "-m", "unittest", "{tests}"}).id, "unittest");
  const auto gtest = selection({"./t", "--gtest_filter={tests}"});
  EXPECT_EQ(gtest.id, "gtest");
  EXPECT_EQ(gtest.join, ":");
}

TEST(Selection, KnownRunnersSpellTestsTheirOwnWay) {
  const auto pytest =
      narrowed(selection({"pytest", "{tests}"}), {test("test_x[a-b]", "tests.test_a.TestOne", "tests/test_a.py")});
  EXPECT_THAT(pytest.argv, ElementsAre("pytest", "tests/test_a.py::TestOne::test_x[a-b]"));
  const auto gtest = narrowed(selection({"./t", "--gtest_filter={tests}"}), {test("x", "A"), test("P/1", "I/B")});
  EXPECT_THAT(gtest.argv, ElementsAre("./t", "--gtest_filter=A.x:I/B.P/1"));
}

TEST(Selection, RunnersThatTakePatternsGetOneThatMatchesTheNameAlone) {
  struct Row {
    const char* id;
    TestNames test;
    const char* spelled;
  };
  const TestNames odd{"s", "C", "a(b)[c]+$", "a.test.js"};
  for (const auto& [id, test, spelled] : {
           Row{"go", {"x/p", "x/p", "TestOdd/a(b)[c]+$", ""}, "^TestOdd$/^a\\(b\\)\\[c\\]\\+\\$$"},
           Row{"jest", odd, "^C\\sa\\(b\\)\\[c\\]\\+\\$$"},
           Row{"vitest", {"a.test.js", "a.test.js", "Outer > a+", ""}, "^Outer\\sa\\+$"},
           Row{"mocha", {"s", "Outer", "Outer a+", "a.js"}, "^Outer\\sOuter\\sa\\+$"},
           Row{"ctest", odd, "^a\\(b\\)\\[c\\]\\+\\$$"},
           Row{"nextest", {"shop::it", "shop::it", "tests::a", ""}, "(binary_id(=shop::it) & test(=tests::a))"},
           Row{"maven", {"p.Five$In", "p.Five$In", "adds(int)[1]", ""}, "p.Five$In#adds"},
           Row{"phpunit", {"Sub\\BTest", "Sub.BTest", "testOdd", ""}, "^Sub\\\\BTest::testOdd$"},
           Row{"minitest", {"s", "ATest", "test_a+", ""}, "^ATest\\#test_a\\+$"},
       }) {
    const auto made = narrowed(selection({"t", "-x={tests}"}, {{}, id, {}}), {test});
    EXPECT_THAT(made.argv, ElementsAre("t", std::string("-x=") + spelled)) << id << made.problem;
  }
}

TEST(Selection, ARunnerThatTakesOnePatternGetsOneArgument) {
  const auto made = narrowed(selection({"t", "-run", "{tests}"}, {{}, "go", {}}), {test("TestA"), test("TestB/x")});
  EXPECT_THAT(made.argv, ElementsAre("t", "-run", "^TestA$|^TestB$/^x$"));
}

TEST(Selection, WhatARunnersOwnFormHasEscapedMayHoldTheJoiningText) {
  const auto made = narrowed(selection({"t", "-R={tests}"}, {{}, "ctest", {}}), {test("a|b"), test("c")});
  EXPECT_THAT(made.argv, ElementsAre("t", "-R=^a\\|b$|^c$"));
  const auto own = narrowed(selection({"t", "-R={tests}"}, {{}, "ctest", "b"}), {test("a|b"), test("c")});
  EXPECT_THAT(own.problem, HasSubstr("which stands between tests"));
}

TEST(Selection, AnUnknownRunnerMustBeToldHowTestsAreSpelled) {
  EXPECT_THAT(usage_error({"mvn", "test", "-Dtest={tests}"}), HasSubstr("--id '{class}#{name}'"));
}

TEST(Selection, AnIdWithoutAnyPartOfANameIsRefused) {
  EXPECT_THAT(usage_error({"t", "{tests}"}, {{}, "name", {}}), HasSubstr("--id \"name\""));
}

TEST(Selection, SelectWithoutTestsIsRefused) {
  EXPECT_THAT(usage_error({"t"}, {"t --all", {}, {}}), HasSubstr("there is no {tests}"));
  EXPECT_THAT(usage_error({"t"}, {"", {}, {}}), HasSubstr("there is no {tests}"));
  EXPECT_THAT(usage_error({"t"}, {"t '{tests}", {}, {}}), HasSubstr("--select"));
}

TEST(Selection, TwoPlacesThatSelectAreRefused) {
  EXPECT_THAT(usage_error({"t", "{tests}"}, {"t {tests}", {}, {}}), HasSubstr("both"));
}

TEST(Selection, SpellingWithoutAPlaceForTestsIsRefused) {
  EXPECT_THAT(usage_error({"t"}, {{}, "{name}", {}}), HasSubstr("--id"));
  EXPECT_THAT(usage_error({"t"}, {{}, {}, "|"}), HasSubstr("--join"));
}

TEST(Selection, TestsCannotBeTheProgram) {
  EXPECT_THAT(usage_error({"{tests}"}, {{}, "{name}", {}}), HasSubstr("the command itself"));
}

TEST(Selection, ANameThatHoldsAPlaceholderStaysAsItIs) {
  const auto made = narrowed(selection({"t", "{tests}", "x={tests}"}, {{}, "{class}.{name}", {}}),
                             {test("{run}{junit}{tests}", "{name}")});
  EXPECT_THAT(made.argv, ElementsAre("t", "{name}.{run}{junit}{tests}", "x={name}.{run}{junit}{tests}"));
}

TEST(Selection, ANameThatLooksLikeAnOptionIsNotHandedOver) {
  const auto alone = narrowed(selection({"t", "{tests}"}, {{}, "{name}", {}}), {test("ok"), test("--rm=/")});
  EXPECT_THAT(alone.argv, IsEmpty());
  EXPECT_THAT(alone.problem, HasSubstr("option"));
  const auto inside = narrowed(selection({"t", "--only={tests}"}, {{}, "{name}", {}}), {test("--rm")});
  EXPECT_THAT(inside.argv, ElementsAre("t", "--only=--rm"));
  const auto joined = narrowed(selection({"t", "{tests}.x"}, {{}, "{name}", {}}), {test("-a"), test("b")});
  EXPECT_THAT(joined.problem, HasSubstr("option"));
}

TEST(Selection, ANameThatLooksLikeAFileOfArgumentsIsNotHandedOver) {
  EXPECT_THAT(narrowed(selection({"t", "{tests}"}, {{}, "{name}", {}}), {test("@/etc/passwd")}).problem,
              HasSubstr("file of arguments"));
}

TEST(Selection, ANameThatHoldsTheJoiningTextIsNotHandedOver) {
  const auto several = selection({"t", "-k={tests}"}, {{}, "{name}", {}});
  EXPECT_THAT(narrowed(several, {test("a,b"), test("c")}).problem, HasSubstr("stands between tests"));
  EXPECT_THAT(narrowed(several, {test("a,b")}).argv, ElementsAre("t", "-k=a,b")) << "alone nothing is joined";
  EXPECT_THAT(narrowed(selection({"t", "{tests}"}, {{}, "{name}", {}}), {test("a,b"), test("c")}).argv,
              ElementsAre("t", "a,b", "c"));
}

TEST(Selection, ANulOrAnEmptyNameIsNotHandedOver) {
  const auto made = selection({"t", "{tests}"}, {{}, "{name}", {}});
  EXPECT_THAT(narrowed(made, {test(std::string_view("a\0b", 3))}).problem, HasSubstr("NUL"));
  EXPECT_THAT(narrowed(made, {test("")}).problem, HasSubstr("no {name}"));
  EXPECT_THAT(narrowed(made, {}).problem, HasSubstr("no test"));
}

TEST(Selection, APartThatTheReportDoesNotGiveIsNotHandedOver) {
  const auto made = selection({"t", "{tests}"}, {{}, "{file}:{name}", {}});
  EXPECT_THAT(narrowed(made, {test("a")}).problem, HasSubstr("no {file}"));
  EXPECT_THAT(narrowed(made, {test("a", "C", "f.rb")}).argv, ElementsAre("t", "f.rb:a"));
}

TEST(Selection, WhatIsNoTestIsNotHandedOver) {
  EXPECT_THAT(narrowed(selection({"pytest", "{tests}"}), {{"s", "", "tests.test_err", ""}}).problem,
              HasSubstr("could not be collected"));
}

TEST(Selection, MoreThanACommandLineTakesIsNotHandedOver) {
  std::vector<std::string> names;
  std::vector<TestNames> tests;
  for (int i = 0; i < 3000; ++i) names.push_back(std::string(100, 'x') + std::to_string(i));
  for (const auto& name : names) tests.push_back(test(name));
  EXPECT_THAT(narrowed(selection({"t", "{tests}"}, {{}, "{name}", {}}), tests).problem, HasSubstr("too many"));
  tests.resize(1500);
  EXPECT_THAT(narrowed(selection({"t", "{tests}"}, {{}, "{name}", {}}), tests).argv, SizeIs(1501));
  EXPECT_THAT(narrowed(selection({"t", "-k={tests}"}, {{}, "{name}", {}}), tests).problem, HasSubstr("one argument"));
}

}  // namespace
}  // namespace flakestat::run
