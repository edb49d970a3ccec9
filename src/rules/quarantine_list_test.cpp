#include "rules/quarantine_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace flakestat::rules {
namespace {

using ::testing::HasSubstr;

const Day kToday = *parse_day("2026-08-17");

QuarantineList list_of(const std::string& text) {
  auto list = QuarantineList::parse(text, "q.txt", kToday);
  EXPECT_TRUE(list.ok()) << list.error().message;
  return list ? std::move(*list) : QuarantineList();
}

ListedTest test(std::string_view suite, std::string_view class_name, std::string_view name,
                std::string_view file = {}) {
  return {{suite, class_name, name, file}, test_id(suite, class_name, name), {}};
}

const auto kLogin = test("pytest", "tests.test_auth.TestAuth", "test_login[oauth]", "tests/test_auth.py");

bool excuses(const std::string& text, const ListedTest& asked, const Dimensions& dimensions = {}) {
  const auto list = list_of(text);
  return list.match(asked, dimensions, kToday) != nullptr;
}

TEST(QuarantineList, AnEntryIsAFrameworksIdADisplayNameOrATestId) {
  EXPECT_TRUE(excuses("tests/test_auth.py::TestAuth::test_login[oauth]", kLogin));
  EXPECT_TRUE(excuses("tests.test_auth.TestAuth::test_login[oauth]", kLogin));
  EXPECT_TRUE(excuses(to_hex(kLogin.id), kLogin));
  EXPECT_FALSE(excuses("tests.test_auth.TestAuth::test_login", kLogin));
  EXPECT_FALSE(excuses("test_login[oauth]", kLogin));
}

TEST(QuarantineList, TestIdsMayHaveCapitalDigits) {
  auto id = to_hex(kLogin.id);
  for (auto& c : id) c = static_cast<char>(std::toupper(c));
  EXPECT_TRUE(excuses(id, kLogin));
}

TEST(QuarantineList, ARunnersOwnIdCountsToo) {
  auto asked = kLogin;
  asked.framework_id = "monorepo/tests/test_auth.py::TestAuth::test_login[oauth]";
  EXPECT_TRUE(excuses("monorepo/tests/test_auth.py::TestAuth::test_login[oauth]", asked));
}

TEST(QuarantineList, BracketsAndQuestionMarksAreLiteral) {
  EXPECT_TRUE(excuses("tests/test_auth.py::*::test_login[oaut*]", kLogin));
  EXPECT_FALSE(excuses("tests/test_auth.py::TestAuth::test_login?oauth]", kLogin));
}

TEST(QuarantineList, PatternsOfEveryBeginningAreFound) {
  const auto list = list_of("*\nC*\nC::t*\nC::t\nC::tt*\n*::t\nD*\nC::*t");
  EXPECT_THAT(list.entries_naming(test("s", "C", "t")), ::testing::ElementsAre(0, 1, 2, 3, 5, 7));
}

TEST(QuarantineList, ManyPatternsOfOneBeginningAreNotTriedAgainstEveryTest) {
  constexpr std::size_t kMany = 20'000;
  std::string text;
  for (std::size_t i = 0; i < kMany; ++i) {
    text += "*::test_" + std::to_string(i) + "\ntests.*::test_" + std::to_string(i) + "\n";
  }
  const auto list = list_of(text);
  for (std::size_t i = 0; i < kMany; ++i) {
    const auto name = "test_" + std::to_string(i);
    ASSERT_THAT(list.entries_naming(test("s", "tests.C", name)), ::testing::ElementsAre(2 * i, 2 * i + 1));
  }
}

TEST(QuarantineList, AFunctionOfPytestIsNoMethodOfItsName) {
  const auto method = test("pytest", "tests.test_a.TestOne", "test_x", "tests/test_a.py");
  EXPECT_TRUE(excuses("tests/test_a.py::test_x", test("pytest", "tests.test_a", "test_x", "tests/test_a.py")));
  EXPECT_FALSE(excuses("tests/test_a.py::test_x", method));
}

TEST(QuarantineList, ATestOfASuiteIsNoTestOfAClassNestedInIt) {
  EXPECT_TRUE(excuses("p.Five::same", test("p.Five", "p.Five", "same")));
  EXPECT_FALSE(excuses("p.Five::same", test("p.Five", "p.Five$In", "same")));
}

TEST(QuarantineList, WhenMustHold) {
  const std::string text = "C::t # when=os=linux";
  const auto asked = test("s", "C", "t");
  EXPECT_TRUE(excuses(text, asked, {{"os", "linux"}}));
  EXPECT_FALSE(excuses(text, asked, {{"os", "mac"}}));
  EXPECT_FALSE(excuses(text, asked));
  EXPECT_FALSE(excuses("C::t # when=os=linux when=arch=arm64", asked, {{"os", "linux"}, {"arch", "x86_64"}}));
  EXPECT_TRUE(excuses("C::t # when=os=linux\nC::t # when=os=mac", asked, {{"os", "mac"}}));
}

TEST(QuarantineList, AnEntryExcusesThroughItsLastDay) {
  EXPECT_TRUE(excuses("C::t # expires=2026-08-17", test("s", "C", "t")));
  const auto list = list_of("C::t # expires=2026-08-16");
  EXPECT_EQ(list.match(test("s", "C", "t"), {}, kToday), nullptr);
  const auto* expired = list.expired_match(test("s", "C", "t"), {}, kToday);
  ASSERT_NE(expired, nullptr);
  EXPECT_EQ(expired->line, 1U);
}

TEST(QuarantineList, AnExpiredEntryDoesNotHideALaterOne) {
  const auto list = list_of("C::t # expires=2026-08-16\nC::* # owner=@b");
  const auto* entry = list.match(test("s", "C", "t"), {}, kToday);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->owner, "@b");
}

TEST(QuarantineList, AnExpiryBeyondAYearIsRefused) {
  const auto list = QuarantineList::parse("a\nC::t # expires=2099-01-01\n", "q.txt", kToday);
  ASSERT_FALSE(list.ok());
  EXPECT_EQ(list.error().kind, ErrorKind::config);
  EXPECT_EQ(list.error().message, "q.txt: line 2: expires=2099-01-01 is more than a year away");
  EXPECT_TRUE(QuarantineList::parse("C::t # expires=2027-08-17\n", "q.txt", kToday).ok());
}

TEST(QuarantineList, ALineThatCannotBeReadMakesTheWholeListAnError) {
  const auto list = QuarantineList::parse("C::t\nC::u # until=2027-01-01\n", "q.txt", kToday);
  ASSERT_FALSE(list.ok());
  EXPECT_THAT(list.error().message, HasSubstr("q.txt: line 2: "));
}

TEST(QuarantineList, AnEmptyListExcusesNothing) {
  EXPECT_EQ(QuarantineList().match(kLogin, {}, kToday), nullptr);
  EXPECT_FALSE(excuses("# nothing\n", kLogin));
}

TEST(QuarantineList, NamesEntriesWhateverTheirConditions) {
  const auto list = list_of("C::t # when=os=mac\nC::u\nC::t # expires=2026-01-01");
  EXPECT_THAT(list.entries_naming(test("s", "C", "t")), ::testing::ElementsAre(0, 2));
  EXPECT_TRUE(list.names(2, test("s", "C", "t")));
  EXPECT_FALSE(list.names(1, test("s", "C", "t")));
}

}  // namespace
}  // namespace flakestat::rules
