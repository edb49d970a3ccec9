// Public bug reports of tools of this kind, each as the rule that it taught (docs/formats/junit.md names the sources).
#include <gtest/gtest.h>

#include "formats/junit_test_support.hpp"
#include "model/identity.hpp"

namespace flakestat::formats {
namespace {

using namespace std::string_literals;
using testing::read_report;
using testing::Reading;

std::string tc(const std::string& results) {
  return "<testcase classname=\"C\" name=\"t\" time=\"0.1\">" + results + "</testcase>";
}
Reading in_suite(const std::string& content) {
  return read_report("<testsuite name=\"s\">" + content + "</testsuite>");
}

// A01, jest-community/jest-junit#197
TEST(FieldCase, ARawEscapeByteInAFailureKeepsEveryResultAndIsNoted) {
  const auto reading = in_suite("\n" + tc("<failure>\x1b[31mboom</failure>") + "<testcase name='u'/>");
  EXPECT_EQ(reading.summary.counts.failures, 1U);
  EXPECT_EQ(reading.summary.counts.tests, 2U);
  EXPECT_EQ(reading.cases.at(0).message, "boom");
  ASSERT_EQ(reading.summary.notes.size(), 1U);
  EXPECT_NE(reading.summary.notes[0].find("line 2"), std::string::npos);
}

// A03, apache/maven-surefire#1113
TEST(FieldCase, ANulInAMessageDoesNotCutTheText) {
  const auto reading = in_suite(tc("<failure message=\"before\0after\"/>"s));
  EXPECT_EQ(reading.cases.at(0).message, "beforeafter");
  EXPECT_EQ(reading.summary.notes.size(), 1U);
}

// A05, DataDog/datadog-ci PR#2477: the caller can tell the bad file from the good one.
TEST(FieldCase, OneBadFileIsAnErrorOfItsOwn) {
  EXPECT_EQ(in_suite(tc("")).error, "");
  EXPECT_NE(read_report("not xml at all").error, "");
}

// A07, dorny/test-reporter#218
TEST(FieldCase, ARootTestsuiteWithOddAttributesIsRead) {
  const auto reading = read_report(
      "<testsuite name='s' result='pass' colour='red'><testcase classname='C' name='t' result='pass'/></testsuite>");
  EXPECT_EQ(reading.summary.counts.passed, 1U);
}

// A09, EnricoMi/publish-unit-test-result-action#107
TEST(FieldCase, CasesOfNestedSuitesCountOnce) {
  const auto reading =
      read_report("<testsuites tests='1'><testsuite name='a' tests='1'><testsuite name='b' tests='1'>" + tc("") +
                  "</testsuite></testsuite></testsuites>");
  EXPECT_EQ(reading.summary.counts.tests, 1U);
  EXPECT_TRUE(reading.summary.notes.empty());
}

// A11, codecov/test-results-parser PR#47
TEST(FieldCase, ASuiteWithoutANameFallsBackToTheCasesFile) {
  const auto reading = read_report("<testsuite><testcase name='t' file='tests/a.py'/><testcase name='u'/></testsuite>");
  EXPECT_EQ(reading.cases.at(0).suite, "tests/a.py");
  EXPECT_EQ(reading.cases.at(1).suite, "");
}

// A13, codecov/test-results-parser PR#45
TEST(FieldCase, AnEmptyFailureElementIsAFailure) { EXPECT_EQ(in_suite(tc("<failure/>")).summary.counts.failures, 1U); }

// A15, EnricoMi/publish-unit-test-result-action#663
TEST(FieldCase, AnEmptySystemOutIsNoObstacle) {
  EXPECT_EQ(in_suite("<system-out></system-out>" + tc("")).summary.counts.passed, 1U);
}

// A16, junit-team/junit-framework#1381
TEST(FieldCase, ATimeWithAThousandsSeparatorIsRead) {
  EXPECT_EQ(in_suite("<testcase name='t' time='1,234.56'/>").cases.at(0).duration_ms, 1234560.0);
}

// A19, trunk-io/analytics-cli PR#780
TEST(FieldCase, TheOffsetOfATimestampCounts) {
  const auto reading =
      read_report("<testsuite name='s' timestamp='2025-09-25T14:52:32.774867-07:00'>" + tc("") + "</testsuite>");
  EXPECT_EQ(reading.cases.at(0).started, parse_rfc3339("2025-09-25T21:52:32.774Z"));
}

// A21, spekt/junit.testlogger#18
TEST(FieldCase, AByteOrderMarkIsIgnored) {
  EXPECT_EQ(read_report("\xEF\xBB\xBF<?xml version=\"1.0\"?><testsuite name='s'>" + tc("") + "</testsuite>")
                .summary.counts.tests,
            1U);
}

// A23, EnricoMi/publish-unit-test-result-action#389
TEST(FieldCase, AFailsafeSummaryIsKnownAsACompanion) {
  const auto reading =
      read_report("<?xml version='1.0'?><failsafe-summary result='null'><completed>1</completed></failsafe-summary>");
  EXPECT_NE(reading.error.find("failsafe-summary"), std::string::npos);
  EXPECT_TRUE(reading.rejection.companion);
}

// A25, mikepenz/action-junit-report#1065
TEST(FieldCase, AClassWithDotsAndBlanksStaysWhole) {
  const auto reading = in_suite("<testcase classname='Chrome 123.0' name='Some test'/>");
  const Case& one = reading.cases.at(0);
  EXPECT_EQ(one.class_name, "Chrome 123.0");
  EXPECT_EQ(display_name(one.suite, one.class_name, one.name), "Chrome 123.0::Some test");
}

// A26, mikepenz/action-junit-report#1189
TEST(FieldCase, ATruncatedFileIsDamagedNotGreen) {
  const auto reading = read_report("<testsuite name='s'>" + tc("") + "<testcase name='u'><fail");
  EXPECT_TRUE(reading.summary.damage);
  EXPECT_EQ(reading.summary.counts.tests, 1U);
}

// B01, facebookresearch/ProgramBench#64: the reader hands on all three, in order.
TEST(FieldCase, RepeatedCasesAreNeverMerged) {
  const auto reading = in_suite(tc("") + tc("") + tc("<failure message='m'/>"));
  ASSERT_EQ(reading.cases.size(), 3U);
  EXPECT_EQ(reading.cases[0].status, Status::pass);
  EXPECT_EQ(reading.cases[2].status, Status::fail);
}

// B03, mikepenz/action-junit-report#1463
TEST(FieldCase, OneMethodNameInTwoClassesIsTwoTests) {
  const auto reading = in_suite(
      "<testcase classname='TestFoo' name='test_get'><failure/></testcase><testcase classname='TestBar' "
      "name='test_get'/>");
  ASSERT_EQ(reading.cases.size(), 2U);
  const auto id = [](const Case& one) { return test_id(one.suite, one.class_name, one.name); };
  EXPECT_NE(id(reading.cases[0]), id(reading.cases[1]));
  EXPECT_EQ(reading.summary.counts.failures, 1U);
}

// B05, EnricoMi/publish-unit-test-result-action#539
TEST(FieldCase, CountsComeFromTheCasesAndAClaimThatDiffersIsNoted) {
  std::string cases = tc("<flakyFailure message='first'/>");
  for (int i = 0; i < 6; ++i) cases += "<testcase name='n" + std::to_string(i) + "'/>";
  const auto reading = read_report("<testsuite name='s' tests='8' failures='1'>" + cases + "</testsuite>");
  EXPECT_EQ(reading.summary.counts.tests, 7U);
  EXPECT_EQ(reading.summary.counts.failures, 0U);
  EXPECT_EQ(reading.summary.counts.known_flaky, 1U);
  ASSERT_EQ(reading.summary.notes.size(), 1U);
  EXPECT_NE(reading.summary.notes[0].find("claims 8 tests with 1 failure, the file has 7 tests with 0 failures"),
            std::string::npos);
}

// B06, apache/maven-surefire#2768
TEST(FieldCase, APassAndFailuresOfOneNameAreNotAFlakyPass) {
  const auto reading = in_suite(tc("") + tc("<failure/>") + tc("<failure/>") + tc("<failure/>"));
  EXPECT_EQ(reading.summary.counts.failures, 3U);
  EXPECT_EQ(reading.summary.counts.known_flaky, 0U);
}

// B21, trunk-io/analytics-cli PR#209
TEST(FieldCase, ATimestampOnTheSuiteOrdersItsCases) {
  const auto early =
      read_report("<testsuite name='s' timestamp='2026-01-01T10:00:00Z'>" + tc("<failure/>") + "</testsuite>");
  const auto late = read_report("<testsuite name='s' timestamp='2026-01-01T10:01:00Z'>" + tc("") + "</testsuite>");
  EXPECT_LT(early.cases.at(0).started.value(), late.cases.at(0).started.value());
}

// B24, jenkinsci/junit-plugin#459
TEST(FieldCase, SuitesOfOneNameAndTimestampAreNotDuplicates) {
  const auto suite = [](const std::string& name) {
    return "<testsuite name='s' timestamp='2026-01-01T10:00:00Z'><testcase name='" + name + "'/></testsuite>";
  };
  EXPECT_EQ(read_report("<testsuites>" + suite("a") + suite("b") + "</testsuites>").summary.counts.tests, 2U);
}

// D12, nextest-rs/nextest PR#1054
TEST(FieldCase, AColouredMessageEqualsThePlainOne) {
  EXPECT_EQ(in_suite(tc("<failure>\x1b[31mred\x1b[0m</failure>")).cases.at(0).message,
            in_suite(tc("<failure>red</failure>")).cases.at(0).message);
}

}  // namespace
}  // namespace flakestat::formats
