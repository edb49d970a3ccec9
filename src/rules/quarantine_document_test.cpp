#include "rules/quarantine_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace flakestat::rules {
namespace {

using ::testing::HasSubstr;

QuarantineEntry only_entry(const std::string& text) {
  const auto document = read_quarantine_document(text);
  EXPECT_TRUE(document.problems.empty()) << document.problems.front().message;
  for (const auto& line : document.lines) {
    if (line.entry) return *line.entry;
  }
  ADD_FAILURE() << "no entry in " << text;
  return {};
}

std::string problem_of(const std::string& text) {
  const auto document = read_quarantine_document(text);
  EXPECT_EQ(document.problems.size(), 1U) << text;
  return document.problems.empty() ? std::string{} : document.problems.front().message;
}

TEST(QuarantineDocument, ReadsEveryAttribute) {
  const auto entry =
      only_entry("C::t # owner=@team expires=2027-01-31 reason=JIRA-1234 see there when=os=windows when=db=pg*\n");
  EXPECT_EQ(entry.pattern, "C::t");
  EXPECT_EQ(entry.owner, "@team");
  EXPECT_EQ(entry.reason, "JIRA-1234 see there");
  EXPECT_EQ(format_day(*entry.expires), "2027-01-31");
  ASSERT_EQ(entry.when.size(), 2U);
  EXPECT_EQ(entry.when[0], std::pair(std::string("os"), std::string("windows")));
  EXPECT_EQ(entry.when[1].second, "pg*");
}

TEST(QuarantineDocument, NamesKeepBracketsHashesAndBlanks) {
  EXPECT_EQ(only_entry("tests/a.py::test_x[a b#c?]").pattern, "tests/a.py::test_x[a b#c?]");
  EXPECT_EQ(only_entry("  C::t #\n").pattern, "C::t");
}

TEST(QuarantineDocument, CommentsAndBlankLinesAreNoEntries) {
  const auto document = read_quarantine_document("# a\n\n   \n  # b\nC::t\n");
  int entries = 0;
  for (const auto& line : document.lines) entries += line.entry ? 1 : 0;
  EXPECT_EQ(entries, 1);
  EXPECT_EQ(document.lines.size(), 5U);
  EXPECT_EQ(document.lines.back().entry->line, 5U);
}

TEST(QuarantineDocument, AProblemNamesLineAndMend) {
  const auto document = read_quarantine_document("C::a\nC::b # expires=2027-02-30\n");
  ASSERT_EQ(document.problems.size(), 1U);
  EXPECT_EQ(document.problems[0].line, 2U);
  EXPECT_THAT(document.problems[0].message, HasSubstr("expires=2027-02-30 is no day"));
  EXPECT_THAT(problem_of("C::t # expire=2027-01-31"), HasSubstr("did you mean expires=?"));
  EXPECT_THAT(problem_of("C::t # flaky since May"), HasSubstr("listed by its test_id"));
  EXPECT_THAT(problem_of("C::t # owner=@a owner=@b"), HasSubstr("owner= is there twice"));
  EXPECT_THAT(problem_of("C::t # when=windows"), HasSubstr("write when=os=windows"));
  EXPECT_THAT(problem_of("C::t # owner=@a b"), HasSubstr("\"b\""));
  EXPECT_THAT(problem_of(std::string("C\0t", 3)), HasSubstr("NUL"));
  EXPECT_THAT(problem_of("C::t # owner=a\rb"), HasSubstr("carriage return"));
}

TEST(QuarantineDocument, BlanksOfEveryKindEndAnAttribute) {
  for (const auto* blank : {"\t", " \t ", "\xC2\xA0", "\xE2\x80\x83", "\xE3\x80\x80", "\xE2\x80\x8B"}) {
    for (const auto* first : {"owner=@a", "reason=since May"}) {
      const auto entry = only_entry(std::string("C::t # ") + first + blank + "expires=2027-01-31");
      ASSERT_TRUE(entry.expires.has_value()) << first << blank;
      EXPECT_EQ(format_day(*entry.expires), "2027-01-31");
    }
  }
}

TEST(QuarantineDocument, TabsMayStandAroundTheMark) {
  const auto entry = only_entry("C::t\t#\towner=@a\n");
  EXPECT_EQ(entry.pattern, "C::t");
  EXPECT_EQ(entry.owner, "@a");
  EXPECT_FALSE(can_be_entry("a\t# b"));
}

TEST(QuarantineDocument, AKeyWithASlipIsNoPartOfAReason) {
  EXPECT_THAT(problem_of("C::t # reason=since May expire=2027-01-31"), HasSubstr("did you mean expires=?"));
  EXPECT_THAT(problem_of("C::t # reason=since May Expires=2027-01-31"), HasSubstr("did you mean expires=?"));
  EXPECT_THAT(problem_of("C::t # reason=since May ower=@a"), HasSubstr("did you mean owner=?"));
  EXPECT_EQ(only_entry("C::t # reason=see x=1 and retries=2 a=b").reason, "see x=1 and retries=2 a=b");
}

TEST(QuarantineDocument, AnOwnerWithAnOddBlankStillMakesALineThatReads) {
  QuarantineEntry entry;
  entry.pattern = "C::t";
  entry.owner =
      "@a\xC2\xA0"
      "b";
  entry.reason = "flaky";
  EXPECT_EQ(only_entry(entry_line(entry)).owner, "@ab");
}

TEST(QuarantineDocument, ANameLikeATestIdIsListedByItsOwn) { EXPECT_FALSE(can_be_entry("0123456789ABCDEF")); }

TEST(QuarantineDocument, ByteOrderMarkAndCarriageReturnsAreNoPartOfNames) {
  const auto document = read_quarantine_document(
      "\xEF\xBB\xBF"
      "C::a\r\nC::b # owner=@x\r\n");
  EXPECT_EQ(document.lines[0].entry->pattern, "C::a");
  EXPECT_EQ(document.lines[1].entry->owner, "@x");
}

TEST(QuarantineDocument, GivesBackEveryByte) {
  for (const std::string text : {"", "a", "\n\n",
                                 "\xEF\xBB\xBF"
                                 "a\r\n# b \r\nc # owner=x\n\n",
                                 "a # nonsense\n\xFF\xFE\n\tb\t\n"}) {
    EXPECT_EQ(read_quarantine_document(text).text(), text);
  }
}

TEST(QuarantineDocument, GivesBackEveryByteOfRandomText) {
  std::mt19937 random(3);
  static constexpr std::string_view kBytes = "ab#= \t\r\n*:owner=when=expires=\xFF\xEF\xBB\xBF";
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (auto left = random() % 60; left > 0; --left) text += kBytes[random() % kBytes.size()];
    ASSERT_EQ(read_quarantine_document(text).text(), text);
  }
}

TEST(QuarantineDocument, AppendKeepsTheLineEndOfTheList) {
  auto document = read_quarantine_document("a\r\nb");
  document.append("c");
  EXPECT_EQ(document.text(), "a\r\nb\r\nc\r\n");
  EXPECT_EQ(document.lines.back().entry->line, 3U);
}

TEST(EntryLine, ReadsBackAsTheSameEntry) {
  QuarantineEntry entry;
  entry.pattern = "C::t[a]";
  entry.owner = "@a,@b";
  entry.reason = "two\nlines";
  entry.added = parse_day("2026-08-17");
  entry.expires = parse_day("2026-11-15");
  entry.when = {{"os", "windows"}};
  const auto line = entry_line(entry);
  EXPECT_EQ(line, "C::t[a] # owner=@a,@b added=2026-08-17 expires=2026-11-15 reason=two lines when=os=windows");
  const auto read = only_entry(line);
  EXPECT_EQ(entry_line(read), line);
}

TEST(CanBeEntry, NamesThatWouldMeanMoreOrLessAreRefused) {
  EXPECT_TRUE(can_be_entry("tests.a::test_x[日本 | \"q\"]"));
  for (const std::string name :
       {"", "#x", " x", "x ", "a*b", "a # b", "a #", "a\nb", "a\x1b[31m", "a\xE2\x80\xAE", "a\xFF", "a\tb"}) {
    EXPECT_FALSE(can_be_entry(name)) << name;
  }
}

TEST(ParseDay, OnlyDaysOfTheCalendar) {
  EXPECT_TRUE(parse_day("2028-02-29"));
  for (const auto* text :
       {"2027-02-29", "2027-13-01", "2027-1-31", "27-01-31", "2027/01/31", "2027-01-31T", "", "yyyy-mm-dd"}) {
    EXPECT_FALSE(parse_day(text)) << text;
  }
  EXPECT_EQ(format_day(*parse_day("2027-01-31")), "2027-01-31");
  EXPECT_EQ(format_day(day_of(1'781'000'000'000)), "2026-06-09");
  EXPECT_EQ(format_day(day_of(-1)), "1969-12-31");
}

}  // namespace
}  // namespace flakestat::rules
