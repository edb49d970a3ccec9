// Each form against a golden file with names that attack it, and what the forms reach besides.
#include "report/quarantine_form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/quarantine_reach.hpp"
#include "report/samples.hpp"
#include "testing/golden.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// How a runner's report names its tests.
struct Naming {
  std::string suite;
  std::string class_name;
  std::string file;
  std::string before;
  std::string after;
};

Naming naming_of(std::string_view form) {
  if (form == "pytest") return {"pytest", "tests.test_a.TestOne", "tests/test_a.py", "test_x[", "]"};
  if (form == "unittest") return {"unittest", "tests.test_a.One", "tests/test_a.py", "test_", ""};
  if (form.starts_with("go")) return {"example.com/p", "example.com/p", "", "TestOdd/", ""};
  if (form.starts_with("jest")) return {"src/a.test.js", "Outer > Inner", "src/a.test.js", "", ""};
  if (form == "vitest") return {"src/a.test.ts", "src/a.test.ts", "", "Outer > ", ""};
  if (form == "mocha") return {"Mocha Tests", "Outer", "/p/a.spec.js", "", ""};
  if (form == "playwright") return {"a.spec.ts", "a.spec.ts", "", "[one] Outer › ", ""};
  if (form == "ctest") return {"(empty)", "", "", "", ""};
  if (form == "catch2") return {"t", "t.global", "", "", ""};
  if (form == "maven" || form == "gradle") return {"p.T", "p.T$In", "", "m", ""};
  if (form == "nextest" || form == "cargo") return {"sample::it", "sample::it", "", "tests::", ""};
  if (form == "rspec") return {"rspec", "spec.a_spec", "./spec/a_spec.rb", "Alpha ", ""};
  if (form == "phpunit") return {"Sub\\BTest::testOdd", "Sub.BTest", "", "testOdd with data set \"", "\""};
  return {"Suite", "Suite", "", "", ""};
}

TestScore named(const Naming& naming, const std::string& name) {
  auto test = samples::score(naming.suite, naming.class_name, naming.before + name + naming.after, Verdict::flaky);
  test.file = naming.file;
  return samples::with_runs(test, 19, 1);
}

std::vector<TestScore> hostile_tests(std::string_view form) {
  auto names = samples::hostile_names();
  for (const auto* more :
       {"plain", "[a/b]", "p|q", "$HOME", "it's \"q\"", "::error file=x::y", "<script>", "a, b), c", "*", "a.b"}) {
    names.emplace_back(more);
  }
  std::vector<TestScore> tests;
  for (const auto& name : names) tests.push_back(named(naming_of(form), name));
  return tests;
}

FormInput listing_all(const std::vector<TestScore>& tests, const std::string& path = {}) {
  FormInput input;
  for (const auto& test : tests) input.listed.push_back(&test);
  input.known = tests;
  input.list_path = path;
  return input;
}

std::string shown(const FormOutput& made) {
  std::string out = "--- list, " + std::to_string(made.entries) + " entries\n" + made.document;
  for (const auto& one : made.companions) out += "--- companion " + one.name + "\n";
  for (const auto& one : made.left_out)
    out += "--- left out " + text::escape_terminal(one.test->name) + ": " + one.why + "\n";
  for (const auto& one : made.also_skipped) {
    out +=
        "--- also " + text::escape_terminal(one.test->name) + " by " + text::escape_terminal(one.because->name) + "\n";
  }
  for (const auto& note : made.notes) out += "--- note " + note + "\n";
  return out + "--- use " + made.usage + "\n";
}

class Form : public ::testing::TestWithParam<std::string> {};

TEST_P(Form, WithHostileNames) {
  const auto* form = find_quarantine_form(GetParam());
  ASSERT_NE(form, nullptr);
  const auto tests = hostile_tests(GetParam());
  const auto printed = shown(form->render(listing_all(tests)));
  const auto filed = shown(form->render(listing_all(tests, "out/list")));
  EXPECT_GOLDEN("quarantine/" + GetParam() + ".txt", printed + "=== with --output out/list\n" + filed);
}

TEST_P(Form, AVeryLongNameGoesWholeOrIsNamed) {
  const auto* form = find_quarantine_form(GetParam());
  const std::vector<TestScore> tests{named(naming_of(GetParam()), std::string(10'240, 'x'))};
  const auto made = form->render(listing_all(tests));
  EXPECT_EQ(made.entries + made.left_out.size(), 1U);
  EXPECT_EQ(made.document.size() > 10'240U, made.entries == 1);
}

TEST_P(Form, AnEmptyListSkipsNothing) {
  const auto* form = find_quarantine_form(GetParam());
  const std::vector<TestScore> tests{named(naming_of(GetParam()), "plain")};
  FormInput input;
  input.known = tests;
  const auto made = form->render(input);
  EXPECT_EQ(made.entries, 0U);
  EXPECT_THAT(made.also_skipped, IsEmpty());
  EXPECT_THAT(made.document, ::testing::Not(HasSubstr("plain")));
}

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const auto& form : quarantine_forms()) names.emplace_back(form.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Form, ::testing::ValuesIn(form_names()), [](const auto& param) {
  auto name = param.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// What goes besides: listed by index, the others of the history are not.
std::vector<std::string> also(std::string_view form, const std::vector<TestScore>& tests,
                              std::vector<std::size_t> listed, const std::string& path = {}) {
  FormInput input;
  for (const auto index : listed) input.listed.push_back(&tests[index]);
  input.known = tests;
  input.list_path = path;
  std::vector<std::string> names;
  for (const auto& one : find_quarantine_form(form)->render(input).also_skipped) names.push_back(one.test->name);
  return names;
}

TestScore test(std::string suite, std::string class_name, std::string name, std::string file = {}) {
  auto out = samples::score(std::move(suite), std::move(class_name), std::move(name), Verdict::flaky);
  out.file = std::move(file);
  return out;
}

TEST(PytestReach, DeselectTakesEveryIdThatBeginsAlike) {
  const std::vector<TestScore> tests{
      test("pytest", "a", "test_pass", "a.py"), test("pytest", "a", "test_passing_longer", "a.py"),
      test("pytest", "b", "test_pass", "b.py"), test("pytest", "a", "test_x[1]", "a.py")};
  EXPECT_THAT(also("pytest", tests, {0}), ElementsAre("test_passing_longer"));
  EXPECT_THAT(also("pytest", tests, {0, 1}), IsEmpty());
  EXPECT_THAT(also("pytest", tests, {3}), IsEmpty());
  EXPECT_THAT(also("pytest", tests, {0}, "q.txt"), IsEmpty());
}

TEST(GoReach, ATestTakesItsSubtestsAndALeafItsLikes) {
  const std::vector<TestScore> tests{test("p", "p", "TestA"), test("p", "p", "TestA/x"), test("p", "p", "TestAB"),
                                     test("q", "q", "TestA"), test("p", "p", "TestA/x/y")};
  EXPECT_THAT(also("go", tests, {0}), ElementsAre("TestA/x", "TestA/x/y"));
  EXPECT_THAT(also("go", tests, {1}), ElementsAre("TestA/x/y"));
  EXPECT_THAT(also("go-skip", tests, {0}), ElementsAre("TestA", "TestA/x", "TestA/x/y"));
}

TEST(GoForm, AParentThatItsListedSubtestFailsIsNotSkipped) {
  const std::vector<TestScore> tests{test("p", "p", "TestA"), test("p", "p", "TestA/x"), test("p", "p", "TestA/y")};
  FormInput input;
  input.listed = {&tests[0], &tests[1]};
  input.known = tests;
  const auto made = go_form(input);
  EXPECT_EQ(made.document, "p\t^TestA$/^x$\n");
  EXPECT_EQ(made.entries, 1U);
  EXPECT_THAT(made.also_skipped, IsEmpty());
  EXPECT_THAT(made.notes, ElementsAre(HasSubstr("1 test is not listed itself")));
}

TEST(GoForm, OneLineAPackage) {
  const std::vector<TestScore> tests{test("example.com/q", "example.com/q", "TestB"),
                                     test("example.com/p", "example.com/p", "TestA"),
                                     test("example.com/p", "example.com/p", "TestOdd/[a/b]")};
  EXPECT_EQ(go_form(listing_all(tests)).document,
            "example.com/p\t^TestA$|^TestOdd$/^\\[a$/^b\\]$\nexample.com/q\t^TestB$\n");
}

TEST(JavascriptReach, APatternTakesTheSameTitlesInEveryFile) {
  const std::vector<TestScore> tests{test("a.test.js", "Outer", "same", "a.test.js"),
                                     test("b.test.js", "Outer", "same", "b.test.js"),
                                     test("c.test.js", "OUTER", "same", "c.test.js")};
  EXPECT_THAT(also("jest", tests, {0}), ElementsAre("same", "same"));
  EXPECT_THAT(also("mocha", tests, {0}), ElementsAre("same"));
  EXPECT_THAT(also("jest", tests, {0}, "out/list"), IsEmpty());
  EXPECT_THAT(also("mocha", tests, {0}, "out/list"), IsEmpty());
}

TEST(JavascriptReach, JestsHookTakesTitlesJoinedByBlanks) {
  const std::vector<TestScore> tests{test("a.test.js", "", "Outer x", "a.test.js"),
                                     test("a.test.js", "Outer", "x", "a.test.js"),
                                     test("b.test.js", "Outer", "x", "b.test.js")};
  EXPECT_THAT(also("jest", tests, {0}, "out/list"), ElementsAre("x"));
  EXPECT_THAT(also("jest", tests, {1}, "out/list"), IsEmpty());
  EXPECT_THAT(also("jest", tests, {0, 1}, "out/list"), IsEmpty());
}

TEST(JavascriptReach, ABlankStandsForEverySpaceOfJavascript) {
  const std::vector<TestScore> tests{test("a.test.js", "", "a b", "a.test.js"), test("a.test.js", "",
                                                                                     "a\xC2\xA0"
                                                                                     "b",
                                                                                     "a.test.js")};
  for (const auto* form : {"jest", "vitest", "mocha"}) {
    EXPECT_THAT(also(form, tests, {0}).size(), 1U) << form;
    EXPECT_THAT(also(form, tests, {0}, "out/list").size(), 1U) << form;
  }
}

TEST(JavascriptReach, JestIgnoresTheCaseOfEveryLetter) {
  const std::vector<TestScore> tests{test("a.test.js", "", "\xC3\xA4ndert \xD0\xB6", "a.test.js"),
                                     test("a.test.js", "", "\xC3\x84NDERT \xD0\x96", "a.test.js")};
  EXPECT_THAT(also("jest", tests, {0}).size(), 1U);
  EXPECT_THAT(also("vitest", tests, {0}), IsEmpty());
}

TEST(HookReach, OneIdInTwoSuitesIsOneTestToTheHook) {
  const std::vector<TestScore> python{test("one", "a", "test_x", "a.py"), test("two", "a", "test_x", "a.py")};
  EXPECT_THAT(also("pytest", python, {0}, "out/list"), ElementsAre("test_x"));
  const std::vector<TestScore> ruby{test("one", "spec.a", "A works", "./spec/a_spec.rb"),
                                    test("two", "spec.a", "A works", "./spec/a_spec.rb")};
  EXPECT_THAT(also("rspec", ruby, {0}, "out/list"), ElementsAre("A works"));
}

TEST(CtestForm, AnExpressionThatCMakeCannotCompileIsRefused) {
  std::vector<TestScore> tests;
  for (int i = 0; i < 1400; ++i) {
    auto number = std::to_string(i);
    tests.push_back(
        test("(empty)", "", "some_rather_long_name_of_a_test_case_" + std::string(5 - number.size(), '0') + number));
  }
  EXPECT_THAT(ctest_form(listing_all(tests)).refused, HasSubstr("too big for CTest"));
  tests.resize(1330);
  EXPECT_EQ(ctest_form(listing_all(tests)).refused, "");
  for (auto& one : tests) one.name.replace(10, 10, "..........");
  EXPECT_THAT(ctest_form(listing_all(tests)).refused, HasSubstr("too big for CTest"));
}

TEST(PhpunitForm, APatternThatPcreCannotCompileIsRefused) {
  std::vector<TestScore> tests;
  for (int i = 0; i < 771; ++i)
    tests.push_back(test("all", "Some.Namespace.ClassTest", "test_name_" + std::to_string(10'000 + i)));
  EXPECT_THAT(phpunit_form(listing_all(tests)).refused, HasSubstr("too big for PHPUnit"));
  tests.resize(760);
  EXPECT_EQ(phpunit_form(listing_all(tests)).refused, "");
}

TEST(JestFilesReach, AWholeFileGoes) {
  const std::vector<TestScore> tests{test("a.test.js", "Outer", "one", "a.test.js"),
                                     test("a.test.js", "Outer", "two", "a.test.js")};
  EXPECT_THAT(also("jest-files", tests, {0}), ElementsAre("two"));
}

TEST(JvmReach, OneParameterTakesTheOthers) {
  const std::vector<TestScore> tests{test("p.T", "p.T", "m(String)[1]"), test("p.T", "p.T", "m(String)[2]"),
                                     test("p.U", "p.U", "m(String)[1]")};
  EXPECT_THAT(also("maven", tests, {0}), ElementsAre("m(String)[2]"));
  EXPECT_THAT(also("gradle", tests, {0}), ElementsAre("m(String)[2]"));
}

TEST(MavenForm, AParameterOfJunit4IsGivenInBothSpellings) {
  const std::vector<TestScore> tests{test("p.T", "p.T", "pass[a b]"), test("p.T", "p.T", "pass[[x]]"),
                                     test("p.T", "p.T", "not a method[a]")};
  EXPECT_EQ(maven_form(listing_all(tests)).document, "p.T#pass\np.T#pass[a b]\n");
}

TEST(RspecReach, APatternTakesTheSameDescriptionInEveryFile) {
  const std::vector<TestScore> tests{test("rspec", "spec.a", "A works", "./spec/a_spec.rb"),
                                     test("rspec", "spec.b", "A works", "./spec/b_spec.rb")};
  EXPECT_THAT(also("rspec", tests, {0}), ElementsAre("A works"));
  EXPECT_THAT(also("rspec", tests, {0}, "out/list"), IsEmpty());
}

TEST(Catch2Reach, ASectionTakesItsWholeTest) {
  const std::vector<TestScore> tests{test("t", "t.global", "s/one"), test("t", "t.global", "s/two"),
                                     test("t", "t.global", "st")};
  EXPECT_THAT(also("catch2", tests, {0}), ElementsAre("s/two"));
}

TEST(Catch2Reach, LettersOfEitherCaseAreTheSame) {
  const std::vector<TestScore> tests{test("t", "t.global", "Adds a"), test("t", "t.global", "adds A"),
                                     test("t", "t.global", "adds b")};
  EXPECT_THAT(also("catch2", tests, {0}), ElementsAre("adds A"));
}

TEST(PlaywrightForm, TitlesThatBeginOrEndWithABlankAreLeftOut) {
  for (const auto* name : {"[one] a ", "a \u203a  b", " a", "[one]  a"}) {
    const std::vector<TestScore> tests{test("f.ts", "f.ts", name), test("f.ts", "f.ts", "[one] Outer \u203a a  b")};
    const auto out = playwright_form(listing_all(tests));
    ASSERT_EQ(out.left_out.size(), 1U) << name;
    EXPECT_EQ(out.left_out.front().test, &tests.front());
  }
}

TEST(Catch2Form, NamesThatWouldBeWildcardsAreLeftOut) {
  for (const auto* name : {"*a", "a*", "a*/b", "*"}) {
    const std::vector<TestScore> tests{test("t", "t.global", name), test("t", "t.global", "b * c")};
    const auto out = catch2_form(listing_all(tests));
    ASSERT_EQ(out.left_out.size(), 1U) << name;
    EXPECT_EQ(out.left_out.front().test, &tests.front());
    EXPECT_EQ(out.document, "~b \\* c\n");
  }
}

TEST(Reach, ManyNestedEntriesCostNoMoreThanSorting) {
  std::vector<TestScore> tests;
  for (int i = 1; i <= 2000; ++i)
    tests.push_back(test("pytest", "a", std::string(static_cast<std::size_t>(i), 'x'), "a.py"));
  std::vector<std::size_t> even;
  for (std::size_t i = 0; i < tests.size(); i += 2) even.push_back(i);
  EXPECT_EQ(also("pytest", tests, even).size(), 1000U);
}

TEST(CargoForm, OneLineATarget) {
  const std::vector<TestScore> tests{test("sample", "sample", "tests::pass"), test("sample::it", "sample::it", "a"),
                                     test("sample::bin/cli", "sample::bin/cli", "b"),
                                     test("sample::it", "sample::it", "doc - x (line 3)")};
  const auto made = cargo_form(listing_all(tests));
  EXPECT_EQ(made.document,
            "-p sample --lib -- --exact --skip tests::pass\n-p sample --bin cli -- --exact --skip b\n"
            "-p sample --test it -- --exact --skip a\n");
  ASSERT_EQ(made.left_out.size(), 1U);
}

TEST(LongLists, TheLongestArgumentIsCounted) {
  std::vector<TestScore> tests;
  for (int i = 0; i < 3000; ++i)
    tests.push_back(test("(empty)", "", "a_name_of_some_length_that_adds_up_in_the_end_" + std::to_string(i)));
  EXPECT_GT(ctest_form(listing_all(tests)).longest_argument, kLongestArgument);
  EXPECT_EQ(gtest_form(listing_all(tests, "flags")).longest_argument, 0U);
}

TEST(Hooks, EveryCompanionHasASource) {
  for (const auto& form : quarantine_forms()) {
    const auto tests = hostile_tests(form.name);
    for (const auto& file : form.render(listing_all(tests, "out/list")).companions) {
      EXPECT_FALSE(file.content.empty()) << file.name;
    }
  }
}

TEST(Usage, PathsAreSafeInAShell) {
  FormInput input;
  input.list_path = "it's $(x)/list";
  EXPECT_EQ(shown_path(input), "'it'\\''s $(x)/list'");
  EXPECT_EQ(beside(input, "hook.py"), "'./it'\\''s $(x)/hook.py'");
}

}  // namespace
}  // namespace flakestat::report
