// The rules of the reader, one by one (docs/formats/junit.md).
#include "formats/junit_reader.hpp"

#include <gtest/gtest.h>

#include "base/utf8.hpp"
#include "formats/junit_test_support.hpp"

namespace flakestat::formats {
namespace {

using namespace std::string_literals;
using testing::count_report;
using testing::read_report;
using testing::Reading;

Reading in_suite(const std::string& content) { return read_report("<testsuite name='s'>" + content + "</testsuite>"); }
Case only_case(const std::string& content) {
  auto reading = in_suite(content);
  EXPECT_EQ(reading.cases.size(), 1U);
  return reading.cases.empty() ? Case{} : std::move(reading.cases[0]);
}
Case with(const std::string& results) {
  return only_case("<testcase classname='C' name='t' time='0.1'>" + results + "</testcase>");
}
UnixMillis at(const char* text) { return parse_rfc3339(text).value(); }

TEST(JunitStatus, TheWorstResultDecides) {
  EXPECT_EQ(with("").status, Status::pass);
  EXPECT_EQ(with("<failure/><error/>").status, Status::error);
  EXPECT_EQ(with("<skipped/><failure/>").status, Status::fail);
  EXPECT_EQ(with("<rerunFailure/><skipped/>").status, Status::fail);
  EXPECT_EQ(with("<rerunFailure/><rerunError/>").status, Status::error);
  EXPECT_EQ(with("<skipped/>").status, Status::skip);
  EXPECT_EQ(with("<disabled/>").status, Status::skip);
}

TEST(JunitStatus, AnExpectedFailureIsASkip) {
  EXPECT_EQ(with("<skipped type='todo'/><failure/>").status, Status::skip);
  EXPECT_EQ(with("<failure/><skipped message='TEST_CASE tagged with !mayfail'/>").status, Status::skip);
  EXPECT_EQ(with("<skipped message='TEST_CASE tagged with !shouldfail'/><error/>").status, Status::skip);
  EXPECT_EQ(with("<failure type='todo'/>").status, Status::fail);
}

TEST(JunitStatus, AFailureOfASkippingTypeIsASkip) {
  EXPECT_EQ(with("<failure type='org.junit.AssumptionViolatedException' message='m'/>").status, Status::skip);
  EXPECT_EQ(with("<error type='org.opentest4j.TestAbortedException'/>").status, Status::skip);
  EXPECT_EQ(with("<error type='org.testng.SkipException'/>").status, Status::skip);
  EXPECT_EQ(with("<failure type='org.junit.AssumptionViolatedException' message='m'/>").message, "m");
  EXPECT_EQ(with("<failure type='AssumptionViolatedException'/><failure/>").status, Status::fail);
  EXPECT_EQ(with("<failure type='MyAssumptionViolatedException'/>").status, Status::fail);
}

TEST(JunitStatus, SkipsThatTheCorpusCountsAsWrittenAreNoted) {
  const auto reading = in_suite("<testcase name='t'><error type='org.testng.SkipException'/></testcase>");
  EXPECT_EQ(reading.summary.counts.errors, 1U);
  EXPECT_EQ(reading.cases.at(0).status, Status::skip);
  ASSERT_EQ(reading.summary.notes.size(), 1U);
  EXPECT_NE(reading.summary.notes[0].find("SkipException"), std::string::npos);
}

TEST(JunitStatus, AttributesDecideOnlyWithoutAResult) {
  EXPECT_EQ(only_case("<testcase name='t' status='NotRun'/>").status, Status::skip);
  EXPECT_EQ(only_case("<testcase name='t' status='run' result='suppressed'/>").status, Status::skip);
  EXPECT_EQ(only_case("<testcase name='t' status='failed'/>").status, Status::fail);
  EXPECT_EQ(only_case("<testcase name='t' result='Errored'/>").status, Status::error);
  EXPECT_EQ(only_case("<testcase name='t' status='run' result='completed'/>").status, Status::pass);
  EXPECT_EQ(only_case("<testcase name='t' status='failed'><skipped/></testcase>").status, Status::skip);
  EXPECT_EQ(only_case("<testcase name='t' status='disabled'><failure/></testcase>").status, Status::fail);
}

TEST(JunitStatus, OnlyDirectChildrenOfACaseCount) {
  EXPECT_EQ(with("<system-out><failure/></system-out>").status, Status::pass);
  EXPECT_EQ(with("<properties><property name='a'><error/></property></properties>").status, Status::pass);
  EXPECT_EQ(with("<flakyFailure><failure/></flakyFailure>").status, Status::pass);
  const auto reading = in_suite("<error message='suite'/><testcase name='t'/>");
  EXPECT_EQ(reading.summary.counts.passed, 1U);
  EXPECT_NE(reading.summary.notes.at(0).find("outside of any case"), std::string::npos);
}

TEST(JunitAttempts, FlakyFailuresAreEarlierTriesOfAPass) {
  const auto one = with("<flakyFailure message='1st'/><flakyError message='2nd'>x</flakyError>");
  EXPECT_EQ(one.status, Status::pass);
  EXPECT_TRUE(one.known_flaky);
  ASSERT_EQ(one.earlier.size(), 2U);
  EXPECT_EQ(one.earlier[0].status, Status::fail);
  EXPECT_EQ(one.earlier[0].message, "1st");
  EXPECT_EQ(one.earlier[1].status, Status::error);
  EXPECT_EQ(one.earlier[1].message, "2nd");
  EXPECT_EQ(one.message, "");
}

TEST(JunitAttempts, RerunsBesideAFinalFailureAreLaterTries) {
  const auto one = with("<failure message='first'/><rerunFailure message='second'/><rerunError message='third'/>");
  EXPECT_EQ(one.status, Status::fail);
  EXPECT_FALSE(one.known_flaky);
  EXPECT_EQ(one.message, "first");
  ASSERT_EQ(one.later.size(), 2U);
  EXPECT_EQ(one.later[1].status, Status::error);
  EXPECT_EQ(one.later[1].message, "third");
}

TEST(JunitAttempts, WithoutAFinalFailureOneRerunStandsForIt) {
  const auto one = with("<rerunFailure message='a'/><rerunError message='b'/><rerunError message='c'/>");
  EXPECT_EQ(one.status, Status::error);
  EXPECT_EQ(one.message, "b");
  ASSERT_EQ(one.later.size(), 2U);
  EXPECT_EQ(one.later[0].message, "a");
  EXPECT_EQ(one.later[1].message, "c");
}

TEST(JunitAttempts, AFinalFailureIsNotFlaky) {
  EXPECT_FALSE(with("<failure/><flakyFailure/>").known_flaky);
  EXPECT_TRUE(with("<skipped/><flakyError/>").known_flaky);
}

TEST(JunitMessage, IsTheDecidingElementsOnOneLine) {
  EXPECT_EQ(with("<failure message='a&#10;  b'/><failure message='second'/>").message, "a b");
  EXPECT_EQ(with("<failure message='f'/><error message='e'/>").message, "e");
  EXPECT_EQ(with("<failure>\n  text &lt;1&gt;<![CDATA[ & <b> &amp;]]> end\n</failure>").message,
            "text <1> & <b> &amp; end");
  EXPECT_EQ(with("<failure message='  ' type='T'/>").message, "T");
  EXPECT_EQ(with("<failure message=''>body</failure>").message, "body");
  EXPECT_EQ(with("<flakyFailure><stackTrace>at x</stackTrace><system-out>noise</system-out></flakyFailure>")
                .earlier.at(0)
                .message,
            "at x");
  EXPECT_EQ(with("<failure message='\x1b[31mred\x1b[0m'/>").message, "red");
}

TEST(JunitMessage, IsAtMostOneKibibyteHoweverLongTheText) {
  for (const auto& body :
       {std::string(3 << 20, 'x'), std::string(3 << 20, ' ') + "x", "<![CDATA[" + std::string(3 << 20, 'y') + "]]>"}) {
    const auto one = with("<failure>" + body + "</failure>");
    EXPECT_LE(one.message.size(), 1024U);
    EXPECT_FALSE(one.message.empty());
  }
  const auto one = with("<failure message='" + std::string(100000, 'm') + "'/>");
  EXPECT_EQ(one.message.size(), 1024U);
}

TEST(JunitIdentity, TheNearestNamedSuiteIsTheSuite) {
  const auto reading = read_report(
      "<testsuites name='run 17'><testcase name='a' file='f.py'/><testsuite name='outer'><testsuite name=' '><testcase "
      "name='b'/>"
      "</testsuite><testsuite name='inner'><testcase name='c'/></testsuite><testcase "
      "name='d'/></testsuite></testsuites>");
  ASSERT_EQ(reading.cases.size(), 4U);
  EXPECT_EQ(reading.cases[0].suite, "f.py");
  EXPECT_EQ(reading.cases[1].suite, "outer");
  EXPECT_EQ(reading.cases[2].suite, "inner");
  EXPECT_EQ(reading.cases[3].suite, "outer");
}

TEST(JunitIdentity, TheClassFallsBackToClassThenToTheSuite) {
  EXPECT_EQ(only_case("<testcase classname='C' class='D' name='t'/>").class_name, "C");
  EXPECT_EQ(only_case("<testcase classname='' class='D' name='t'/>").class_name, "D");
  EXPECT_EQ(only_case("<testcase name='t'/>").class_name, "s");
}

TEST(JunitIdentity, NamesKeepTheirTextAndControlCharactersBecomeVisible) {
  EXPECT_EQ(only_case("<testcase name=' a&#10;b '/>").name, " a\nb ");
  EXPECT_EQ(only_case("<testcase name='a\nb'/>").name, "a b") << "a line end in an attribute is a blank";
  EXPECT_EQ(only_case("<testcase name='t[\x1b&#0;&#7;]'/>").name, "t[\\x1b\\x00\\x07]");
  EXPECT_EQ(only_case("<testcase name='t\0u'/>"s).name, "t\\x00u");
  EXPECT_EQ(only_case("<testcase name='&#xD800;'/>").name, "&#xD800;");
  EXPECT_EQ(only_case("<testcase name='\xE9'/>").name, "\xEF\xBF\xBD");
}

TEST(JunitIdentity, ANamelessCaseIsDeliveredAndCounted) {
  const auto reading = in_suite("<testcase/><testcase name='a'/>");
  EXPECT_EQ(reading.summary.counts.tests, 2U);
  ASSERT_EQ(reading.cases.size(), 2U);
  EXPECT_EQ(reading.cases[0].name, "");
  EXPECT_EQ(reading.cases[0].class_name, "s");
}

TEST(JunitIdentity, AttributesOfOneCaseDoNotLeakIntoTheNext) {
  const auto reading = in_suite(
      "<testcase name='a' classname='C' time='1' file='f' line='3'><failure message='m'/><rerunFailure/>"
      "<properties><property name='os.name' value='x'/><property name='flakestat.exec_key' value='k'/></properties>"
      "</testcase><testcase/>");
  ASSERT_EQ(reading.cases.size(), 2U);
  const Case& second = reading.cases[1];
  EXPECT_EQ(second.name + second.file + second.message + second.exec_key, "");
  EXPECT_FALSE(second.duration_ms || second.line || second.started || second.known_flaky);
  EXPECT_TRUE(second.later.empty() && second.properties.empty());
  EXPECT_EQ(second.status, Status::pass);
}

TEST(JunitFields, FileLineAndDurationAreKeptAndUnknownIsNotZero) {
  const auto one = only_case("<testcase name='t' file='a.py' line='12' time='1,234.5'/>");
  EXPECT_EQ(one.file, "a.py");
  EXPECT_EQ(one.line, 12);
  EXPECT_EQ(one.duration_ms, 1234500.0);
  EXPECT_FALSE(only_case("<testcase name='t' time='NaN' line='x'/>").duration_ms);
  EXPECT_FALSE(only_case("<testcase name='t' line='-3'/>").line);
  EXPECT_EQ(only_case("<testcase name='t' time='-1'/>").duration_ms, 0.0);
  EXPECT_EQ(read_report("<testsuite name='s' file='s.php'><testcase name='t'/></testsuite>").cases.at(0).file, "s.php");
}

TEST(JunitFields, OnlyRecognisedPropertiesAreKept) {
  const auto reading = read_report(
      "<testsuite name='s'><properties><property name='java.version' value='17'/><property name='user.name' "
      "value='me'/>"
      "<property name='flakestat.run_id' value='r1'/></properties><testcase name='a'><properties><property "
      "name='os.name' value='Linux'/>"
      "<property name='flakestat.exec_key' value='0123456789abcdef'/></properties></testcase><testcase "
      "name='b'/></testsuite>");
  ASSERT_EQ(reading.cases.size(), 2U);
  EXPECT_EQ(reading.cases[0].properties, (Dimensions{{"java.version", "17"}, {"os.name", "Linux"}}));
  EXPECT_EQ(reading.cases[0].exec_key, "0123456789abcdef");
  EXPECT_EQ(reading.cases[0].run_id, "r1");
  EXPECT_EQ(reading.cases[1].properties, (Dimensions{{"java.version", "17"}}));
  EXPECT_EQ(reading.cases[1].exec_key, "");
}

TEST(JunitFields, PropertiesOfASuiteEndWithIt) {
  const auto reading = read_report(
      "<testsuites><testsuite name='a'><properties><property name='go.version' value='1'/></properties><testsuite "
      "name='b'><properties>"
      "<property name='go.version' value='2'/></properties><testcase name='x'/></testsuite><testcase "
      "name='y'/></testsuite>"
      "<testsuite name='c'><testcase name='z'/></testsuite></testsuites>");
  ASSERT_EQ(reading.cases.size(), 3U);
  EXPECT_EQ(reading.cases[0].properties.at("go.version"), "2");
  EXPECT_EQ(reading.cases[1].properties.at("go.version"), "1");
  EXPECT_TRUE(reading.cases[2].properties.empty());
}

TEST(JunitStart, IsTheSuitesStampPlusTheCasesBefore) {
  const auto reading = read_report(
      "<testsuite name='s' timestamp='2026-08-17T10:00:00Z'><testcase name='a' time='1.5'/>"
      "<testcase name='b' time='2'/><testcase name='c' timestamp='2026-08-17T12:00:00Z'/><testcase "
      "name='d'/></testsuite>");
  ASSERT_EQ(reading.cases.size(), 4U);
  EXPECT_EQ(reading.cases[0].started, at("2026-08-17T10:00:00Z"));
  EXPECT_EQ(reading.cases[1].started, at("2026-08-17T10:00:01.500Z"));
  EXPECT_EQ(reading.cases[2].started, at("2026-08-17T12:00:00Z")) << "its own stamp wins";
  EXPECT_EQ(reading.cases[3].started, at("2026-08-17T10:00:00Z")) << "a duration before it is unknown";
  EXPECT_TRUE(reading.summary.has_timestamps);
  EXPECT_FALSE(reading.cases[0].started_is_local);
}

TEST(JunitStart, ASuiteWithoutAStampStartsWhereItsParentIs) {
  const auto reading = read_report(
      "<testsuites timestamp='2026-08-17T10:00:00'><testsuite name='a'><testcase name='x' time='3'/></testsuite>"
      "<testsuite name='b'><testcase name='y' time='1'/></testsuite></testsuites>");
  ASSERT_EQ(reading.cases.size(), 2U);
  EXPECT_EQ(reading.cases[1].started, at("2026-08-17T10:00:03Z"));
  EXPECT_TRUE(reading.cases[1].started_is_local);
}

TEST(JunitStart, NeverLiesBeyondTheSuitesOwnTime) {
  const auto reading = read_report(
      "<testsuite name='s' time='2' timestamp='2026-08-17T10:00:00Z'><testcase name='a' time='9'/><testcase "
      "name='b'/></testsuite>");
  EXPECT_EQ(reading.cases.at(1).started, at("2026-08-17T10:00:02Z"));
}

TEST(JunitStart, WithoutAnyStampThereIsNone) {
  const auto reading = in_suite("<testcase name='a' time='1'/>");
  EXPECT_FALSE(reading.cases.at(0).started);
  EXPECT_FALSE(reading.summary.has_timestamps);
}

TEST(JunitReject, NamesTheRootThatWasFound) {
  const auto html = read_report("<!DOCTYPE html><html><testsuite/></html>");
  EXPECT_NE(html.error.find("<html>"), std::string::npos);
  EXPECT_EQ(html.rejection.root, "html");
  EXPECT_FALSE(html.rejection.companion);
  EXPECT_EQ(read_report("").error, "empty document");
  EXPECT_EQ(read_report(std::string(1000, '\0')).error, "empty document");
  EXPECT_EQ(read_report("{\"a\": \"<b>\"}").error, "no JUnit root element");
  EXPECT_NE(read_report("<TestRun><testsuite/></TestRun>").error, "");
  const auto hostile = read_report("<x\xFFy" + std::string(100000, 'z') + "/>");
  EXPECT_LE(hostile.rejection.root.size(), 100U);
  EXPECT_TRUE(is_valid_utf8(hostile.error));
}

TEST(JunitReject, AnEncodingThatCannotBeReadIsNamedWithAMend) {
  const auto reading =
      read_report("<?xml version='1.0' encoding='X-NO-SUCH'?><testsuite><testcase name='\xE9'/></testsuite>");
  EXPECT_NE(reading.error.find("X-NO-SUCH"), std::string::npos);
  EXPECT_NE(reading.error.find("iconv"), std::string::npos);
  EXPECT_EQ(read_report("<?xml version='1.0' encoding='X-NO-SUCH'?><testsuite><testcase name='e'/></testsuite>").error,
            "");
}

TEST(JunitDamage, SaysWhereTheFileEndsAndInsideOfWhat) {
  const std::string cut = "<testsuite name='s'>\n<testcase name='a'/>\n<testcase name='b'><system-out><![CDATA[x";
  const auto reading = read_report(cut);
  ASSERT_TRUE(reading.summary.damage);
  EXPECT_EQ(reading.summary.damage->offset, cut.size());
  EXPECT_EQ(reading.summary.damage->line, 3U);
  EXPECT_NE(reading.summary.damage->reason.find("CDATA"), std::string::npos);
  EXPECT_EQ(reading.cases.size(), 1U);
  EXPECT_EQ(reading.summary.incomplete_cases, 1U);
}

TEST(JunitDamage, OffsetsAreThoseOfTheOriginalFile) {
  std::string wide = "\xFF\xFE";
  for (const char c : "<testsuite><testcase name='a'/><testcase"s) wide += std::string{c, '\0'};
  const auto reading = read_report(wide);
  ASSERT_TRUE(reading.summary.damage);
  EXPECT_EQ(reading.summary.damage->offset, wide.size());
  EXPECT_EQ(reading.cases.size(), 1U);
}

// A case whose own end never came may have been about to fail: it is not a pass, whatever closes around it.
TEST(JunitDamage, ACaseWithoutItsEndIsNoResult) {
  const auto reading = read_report(
      "<testsuites><testsuite name='s'><testcase name='a'></testsuite><testsuite name='t'><testcase "
      "name='b'/></testsuite></testsuites>");
  EXPECT_EQ(reading.summary.counts.tests, 1U);
  EXPECT_EQ(reading.cases.at(0).name, "b");
  EXPECT_EQ(reading.summary.incomplete_cases, 1U);
  ASSERT_TRUE(reading.summary.damage);
}

TEST(JunitDamage, AWholeReportIsNotDamagedByWhatFollowsIt) {
  EXPECT_FALSE(read_report("<testsuite><testcase name='a'/></testsuite>\n<br> 5 < 6 \"' done").summary.damage);
  EXPECT_FALSE(read_report("<testsuite><testcase name='a'/></testsuite>\0\0\0"s).summary.damage);
}

TEST(JunitStructure, TextAroundAndSeveralRootsAreNoObstacle) {
  const auto reading = read_report(
      "log <b> it's 5 < 6\n<testsuite name='a'><testcase name='x'/></testsuite> noise </done>\n<?xml version='1.0'?>"
      "<testsuites><testsuite name='b'><testcase name='y'/></testsuite></testsuites>");
  ASSERT_EQ(reading.cases.size(), 2U);
  EXPECT_EQ(reading.cases[1].suite, "b");
}

TEST(JunitStructure, CasesOutsideOfAnyReportAreNotedNotCounted) {
  const auto reading = read_report("<testsuite name='a'></testsuite><testcase name='late'/>");
  EXPECT_EQ(reading.summary.counts.tests, 0U);
  EXPECT_NE(reading.summary.notes.at(0).find("outside of any report"), std::string::npos);
}

TEST(JunitStructure, MarkupInACasesOutputIsNoResult) {
  const auto reading = in_suite(
      "<testcase name='a'><system-out>printed: <testsuite name='x'><testcase "
      "name='fake'><failure/></testcase></testsuite>"
      "</system-out></testcase><testcase name='b'/>");
  EXPECT_EQ(reading.summary.counts.tests, 2U);
  EXPECT_EQ(reading.summary.counts.passed, 2U);
  EXPECT_EQ(reading.cases.at(1).suite, "s");
  EXPECT_NE(reading.summary.notes.at(0).find("inside the output"), std::string::npos);
}

TEST(JunitStructure, DepthAndNumberCostNoMoreThanTheirBytes) {
  std::string deep = "<testsuite name='s'>";
  for (int i = 0; i < 5000; ++i) deep += "<testsuite name='n" + std::to_string(i) + "'>";
  EXPECT_EQ(read_report(deep + "<testcase name='a'/>").cases.at(0).suite, "n4999");
  std::string unclosed = "<testsuite name='s'><testcase name='a'><system-out>";
  for (int i = 0; i < 300000; ++i) unclosed += i % 2 == 0 ? "<br><b" + std::to_string(i % 1000) + ">" : "</never>";
  const auto reading = read_report(unclosed + "</system-out></testcase></testsuite>");
  EXPECT_EQ(reading.cases.size(), 1U);
  EXPECT_FALSE(reading.summary.damage);
}

TEST(JunitStructure, NestingBeyondTheLimitIsDamageNotMemory) {
  std::string deep;
  for (int i = 0; i < 20000; ++i) deep += "<testsuite name='" + std::string(300, 'n') + "'>";
  const auto reading = read_report("<testsuite><testcase name='a'/>" + deep);
  ASSERT_TRUE(reading.summary.damage);
  EXPECT_NE(reading.summary.damage->reason.find("deep"), std::string::npos);
  EXPECT_EQ(reading.cases.size(), 1U);
}

TEST(JunitNotes, ReplacedBytesAreNamedWithTheirLine) {
  const auto reading = read_report("<testsuite>\n<testcase name='\xE9'/>\n<testcase name='\x1b'/></testsuite>");
  ASSERT_EQ(reading.summary.notes.size(), 2U);
  EXPECT_NE(reading.summary.notes[0].find("line 2"), std::string::npos);
  EXPECT_NE(reading.summary.notes[1].find("line 3"), std::string::npos);
}

TEST(JunitNotes, CountingAloneSeesTheSame) {
  const std::string report =
      "<testsuite name='s' tests='5' timestamp='2026-01-01T00:00:00'>\n<testcase name='\xE9' "
      "timestamp='2026-01-01T00:00:00Z'>"
      "<flakyError/></testcase><testcase name='b'><error type='org.testng.SkipException'/>";
  const auto full = read_report(report);
  const auto counting = count_report(report);
  EXPECT_TRUE(full.summary.counts == counting.summary.counts);
  EXPECT_EQ(full.summary.notes, counting.summary.notes);
  EXPECT_EQ(full.summary.has_timestamps, counting.summary.has_timestamps);
  EXPECT_EQ(full.summary.incomplete_cases, counting.summary.incomplete_cases);
  ASSERT_TRUE(full.summary.damage && counting.summary.damage);
  EXPECT_EQ(full.summary.damage->reason, counting.summary.damage->reason);
}

}  // namespace
}  // namespace flakestat::formats
