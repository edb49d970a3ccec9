#include "formats/junit_writer.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/clean_text.hpp"
#include "formats/junit_test_support.hpp"
#include "text/xml_text.hpp"

namespace flakestat::formats {
namespace {

using testing::read_report;

std::string hostile_text(std::mt19937& random, std::size_t most) {
  static const std::vector<std::string> kPieces{"a",
                                                "test_",
                                                "[x]",
                                                " ",
                                                "\n",
                                                "\t",
                                                "\r",
                                                "<",
                                                ">",
                                                "&",
                                                "\"",
                                                "'",
                                                "]]>",
                                                "<![CDATA[",
                                                "<!--",
                                                "&amp;",
                                                "&#10;",
                                                "</testcase>",
                                                "<failure/>",
                                                "\x1b[31m",
                                                std::string(1, '\0'),
                                                "\x01",
                                                "\x7f",
                                                "é",
                                                "\U0001F600",
                                                "\xFF",
                                                "\xC3",
                                                "\xEF\xBF\xBE",
                                                "\xC2\x85",
                                                "\xE2\x80\xA8",
                                                "/",
                                                "=",
                                                ";",
                                                "#x1B[1m"};
  std::string out;
  for (std::size_t i = 0, count = random() % (most + 1); i < count; ++i) out += kPieces[random() % kPieces.size()];
  return out;
}

Attempt random_attempt(std::mt19937& random) {
  return {random() % 2 == 0 ? Status::fail : Status::error, hostile_text(random, 8)};
}

/// A case as adapters may hand it over: names and messages are not clean.
Case random_case(std::mt19937& random) {
  Case one;
  one.class_name = "c" + hostile_text(random, 8);
  one.name = hostile_text(random, 12);
  one.status = static_cast<Status>(random() % 4);
  if (random() % 2 == 0) one.duration_ms = static_cast<double>(random() % 10000000) / 1000;
  if (random() % 2 == 0) one.file = "f" + hostile_text(random, 4);
  if (random() % 2 == 0) one.line = random() % 5000;
  if (one.status != Status::pass) one.message = hostile_text(random, 20);
  if (!is_failure(one.status) && random() % 2 == 0) one.earlier.push_back(random_attempt(random));
  if (is_failure(one.status) && random() % 2 == 0) one.later.push_back(random_attempt(random));
  one.known_flaky = !one.earlier.empty();
  if (random() % 2 == 0) one.started = 1700000000000 + static_cast<UnixMillis>(random() % 100000000);
  if (random() % 2 == 0) one.exec_key = "0123456789abcdef";
  if (random() % 4 == 0) one.properties["os.name"] = "Linux";
  return one;
}

void expect_attempts(const std::vector<Attempt>& written, const std::vector<Attempt>& read) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].status, written[i].status);
    EXPECT_EQ(read[i].message, clean_line(clean_name(written[i].message)));
  }
}

void expect_equal(const Case& written, const Case& read) {
  EXPECT_EQ(read.class_name, clean_name(written.class_name));
  EXPECT_EQ(read.name, clean_name(written.name));
  EXPECT_EQ(read.status, written.status);
  EXPECT_EQ(read.file, clean_name(written.file));
  EXPECT_EQ(read.line, written.line);
  EXPECT_EQ(read.known_flaky, written.known_flaky);
  EXPECT_EQ(read.message, clean_line(clean_name(written.message)));
  EXPECT_EQ(read.exec_key, written.exec_key);
  EXPECT_EQ(read.properties, written.properties);
  ASSERT_EQ(read.duration_ms.has_value(), written.duration_ms.has_value());
  if (read.duration_ms) {
    EXPECT_NEAR(*read.duration_ms, *written.duration_ms, 1e-3);
  }
  if (written.started) {
    EXPECT_EQ(read.started, written.started);
  }
  expect_attempts(written.earlier, read.earlier);
  expect_attempts(written.later, read.later);
}

TEST(JunitWriter, WhatItWritesTheReaderReadsBack) {
  std::mt19937 random(20260817);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    JunitSuite suite{
        "suite " + hostile_text(random, 6), std::nullopt, "run-7", {{"note", hostile_text(random, 6)}}, {}};
    for (std::size_t i = 0, count = random() % 6; i < count; ++i) suite.cases.push_back(random_case(random));
    const auto xml = write_junit({hostile_text(random, 4), {suite}});
    const auto reading = read_report(xml);
    ASSERT_EQ(reading.error, "") << xml;
    EXPECT_TRUE(reading.summary.notes.empty()) << reading.summary.notes.at(0);
    EXPECT_FALSE(reading.summary.damage);
    ASSERT_EQ(reading.cases.size(), suite.cases.size());
    for (std::size_t i = 0; i < suite.cases.size(); ++i) {
      expect_equal(suite.cases[i], reading.cases[i]);
      EXPECT_EQ(reading.cases[i].suite, clean_name(suite.name));
      EXPECT_EQ(reading.cases[i].run_id, "run-7");
    }
  }
}

TEST(JunitWriter, AReportReadAndWrittenAgainIsTheSame) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    JunitSuite suite{"s", 1700000000000, "", {}, {}};
    for (int i = 0; i < 5; ++i) suite.cases.push_back(random_case(random));
    auto first = read_report(write_junit({"", {suite}}));
    JunitSuite again{"s", 1700000000000, "", {}, first.cases};
    const auto second = read_report(write_junit({"", {again}}));
    ASSERT_EQ(second.cases.size(), first.cases.size());
    for (std::size_t i = 0; i < first.cases.size(); ++i) expect_equal(first.cases[i], second.cases[i]);
  }
}

TEST(JunitWriter, AnExcusedFailureIsNoneForOthersAndReadsBackAsOne) {
  Case known;
  known.class_name = "C";
  known.name = "t";
  known.status = Status::fail;
  known.quarantined = true;
  known.message = "first";
  known.later = {{Status::error, "second"}};
  JunitExtras extras{"", "\x1b[31mfirst\x1b[0m <at> x.py", {"second at y.py"}, {{"owner", "a&b"}}, "out", "err"};
  const auto xml = write_junit({"", {{"s", std::nullopt, "r1", {}, {known}, {extras}}}});
  EXPECT_EQ(xml,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n"
            "  <testsuite name=\"s\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000000\">\n"
            "    <properties><property name=\"flakestat.run_id\" value=\"r1\"/></properties>\n"
            "    <testcase classname=\"C\" name=\"t\">\n"
            "      <properties><property name=\"quarantined\" value=\"true\"/>"
            "<property name=\"owner\" value=\"a&amp;b\"/></properties>\n"
            "      <rerunFailure message=\"first\">first &lt;at&gt; x.py</rerunFailure>\n"
            "      <rerunError message=\"second\">second at y.py</rerunError>\n"
            "      <system-out>out</system-out>\n"
            "      <system-err>err</system-err>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
  const auto reading = read_report(xml);
  EXPECT_TRUE(reading.summary.notes.empty());
  ASSERT_EQ(reading.cases.size(), 1U);
  expect_equal(known, reading.cases[0]);
  EXPECT_TRUE(reading.cases[0].quarantined);
  EXPECT_EQ(reading.summary.counts.failures, 1U);
  EXPECT_EQ(reading.summary.counts.quarantined, 1U);
  EXPECT_EQ(testing::count_report(xml).summary.counts, reading.summary.counts);
}

TEST(JunitWriter, TheDialectIsSurefires) {
  Case flaky;
  flaky.class_name = "C";
  flaky.name = "a<b>";
  flaky.known_flaky = true;
  flaky.duration_ms = 1500;
  flaky.earlier.push_back({Status::fail, "first"});
  flaky.exec_key = "k";
  EXPECT_EQ(write_junit({"run", {{"s", 0, "r1", {}, {flaky}}}}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"run\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n"
            "  <testsuite name=\"s\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"1.500000\" "
            "timestamp=\"1970-01-01T00:00:00.000Z\">\n"
            "    <properties><property name=\"flakestat.run_id\" value=\"r1\"/></properties>\n"
            "    <testcase classname=\"C\" name=\"a&lt;b&gt;\" time=\"1.500000\">\n"
            "      <properties><property name=\"flakestat.exec_key\" value=\"k\"/></properties>\n"
            "      <flakyFailure message=\"first\"/>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

}  // namespace
}  // namespace flakestat::formats
