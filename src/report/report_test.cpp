#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <sstream>

#include "report/samples.hpp"
#include "testing/golden.hpp"
#include "testing/lines.hpp"
#include "text/code_points.hpp"
#include "text/nasty_text.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

stats::Scores with_tests(std::vector<TestScore> tests) {
  stats::Scores scores;
  scores.tests = std::move(tests);
  return scores;
}

stats::Scores many_flaky(int count) {
  stats::Scores scores;
  for (int i = 0; i < count; ++i)
    scores.tests.push_back(samples::flaky("t" + std::to_string(i), 0.3, 0.1 / (i + 1), 9, 1));
  scores.tests.push_back(samples::broken("b", 9));
  return scores;
}

TEST(ReportTable, EveryVerdict) { EXPECT_GOLDEN("report/table.txt", report_table(samples::every_verdict(), {})); }

TEST(ReportTable, AllTests) {
  ReportOptions options;
  options.all = true;
  EXPECT_GOLDEN("report/table_all.txt", report_table(samples::every_verdict(), options));
}

TEST(ReportTable, HostileNames) {
  const auto table = report_table(samples::hostile(), {});
  EXPECT_FALSE(text::has_hidden(table));
  EXPECT_GOLDEN("report/table_hostile.txt", table);
}

TEST(ReportTable, HostileNamesOnANarrowTerminal) {
  ReportOptions options;
  options.look.width = 72;
  const auto table = report_table(samples::hostile(), options);
  for (std::size_t i = 0; i <= samples::hostile_names().size(); ++i) {
    EXPECT_LE(text::display_width(flakestat::testing::lines_of(table)[i]), 72U)
        << flakestat::testing::lines_of(table)[i];
  }
  EXPECT_GOLDEN("report/table_hostile_72.txt", table);
}

TEST(ReportTable, ColourOnlyWhenWanted) {
  ReportOptions options;
  EXPECT_THAT(report_table(samples::every_verdict(), options), Not(HasSubstr("\x1b")));
  options.look.colour = true;
  EXPECT_THAT(report_table(samples::every_verdict(), options), HasSubstr("\x1b[31mflaky\x1b[0m"));
}

TEST(ReportTable, LastLineSaysWhatCouldNotBeSeen) {
  EXPECT_EQ(flakestat::testing::lines_of(report_table(samples::every_verdict(), {})).back(),
            "20 clean runs rule out failure rates above 14 % (95 % confidence); 299 runs would rule out 1 %");
}

TEST(ReportTable, EmptyHistory) {
  EXPECT_EQ(report_table({}, {}),
            "no tests\n\n0 flaky, 0 suspect, 0 consistently failing, 0 stable, 0 unscored (of 0 tests)\n"
            "nothing ran: no failure rate is ruled out\n");
}

TEST(ReportTable, NothingWorthARow) {
  EXPECT_THAT(report_table(with_tests({samples::stable("a", 20)}), {}),
              ::testing::StartsWith("no flaky, suspect or consistently failing test\n\n0 flaky, 0 suspect, "
                                    "0 consistently failing, 1 stable, 0 unscored (of 1 test)\n"));
}

TEST(ReportTable, TopSaysHowManyRowsAreLeftOutAndKeepsTheBroken) {
  ReportOptions options;
  options.top = 2;
  const auto table = report_table(many_flaky(5), options);
  EXPECT_THAT(table, HasSubstr("::t0\n"));
  EXPECT_THAT(table, HasSubstr("::t1\n"));
  EXPECT_THAT(table, Not(HasSubstr("::t2\n")));
  EXPECT_THAT(table, HasSubstr("TestPay::b\n"));
  EXPECT_THAT(table, HasSubstr("\n3 more rows left out by --top 2\n"));
}

TEST(ReportTable, TopLargerThanTheTableSaysNothing) {
  ReportOptions options;
  options.top = 50;
  EXPECT_THAT(report_table(many_flaky(5), options), Not(HasSubstr("left out")));
}

TEST(ReportTable, ThresholdFiltersByLowerBoundAndKeepsTheBroken) {
  ReportOptions options;
  options.severity = 0.05;
  const auto table = report_table(many_flaky(5), options);
  EXPECT_THAT(table, HasSubstr("::t1\n"));
  EXPECT_THAT(table, Not(HasSubstr("::t2\n")));
  EXPECT_THAT(table, HasSubstr("TestPay::b\n"));
  EXPECT_THAT(table, HasSubstr("\n3 tests left out: lower bound under --threshold 0.050\n"));
}

TEST(ReportTable, OutagesAndDuplicatesAreNamed) {
  auto scores = samples::every_verdict();
  scores.duplicates = 1;
  for (int i = 0; i < 7; ++i) scores.outages.push_back({"r" + std::to_string(i), samples::kDay1 + i, 50, 40, 0.8});
  const auto table = report_table(scores, {});
  EXPECT_THAT(table, HasSubstr("\nrun r6: 40 of 50 tests failed; counted as an outage\n"));
  EXPECT_THAT(table, HasSubstr("\n2 more runs counted as outages\n1 duplicate execution counted once\n"));
  EXPECT_THAT(table, Not(HasSubstr("run r1:")));
}

TEST(ReportFamily, MembersStayBelowTheirFamily) {
  auto scores = samples::every_verdict();
  scores.tests.push_back(samples::stable("test_login[basic]", 40));
  ReportOptions options;
  options.by_family = true;
  EXPECT_GOLDEN("report/table_family.txt", report_table(scores, options));
  EXPECT_GOLDEN("report/markdown_family.md", report_markdown(scores, options));
  EXPECT_GOLDEN("report/report_family.json", report_json(scores, options));
}

TEST(ReportFamily, TopCountsFamilies) {
  auto scores = many_flaky(3);
  ReportOptions options;
  options.by_family = true;
  options.top = 1;
  EXPECT_THAT(report_table(scores, options), HasSubstr("2 more families left out by --top 1\n"));
}

TEST(ReportMarkdown, EveryVerdict) {
  EXPECT_GOLDEN("report/markdown.md", report_markdown(samples::every_verdict(), {}));
}

TEST(ReportMarkdown, HostileNames) {
  const auto markdown = report_markdown(samples::hostile(), {});
  EXPECT_FALSE(text::has_hidden(markdown));
  EXPECT_GOLDEN("report/markdown_hostile.md", markdown);
}

TEST(ReportMarkdown, EveryTestIsOneRowOfSevenCells) {
  const auto lines = flakestat::testing::lines_of(report_markdown(samples::hostile(), {}));
  std::size_t rows = 0;
  for (const auto& line : lines) {
    if (!line.starts_with("| flaky")) continue;
    ++rows;
    std::size_t pipes = 0;
    for (std::size_t i = 0; i < line.size(); ++i) pipes += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    EXPECT_EQ(pipes, 8U) << line;
  }
  EXPECT_EQ(rows, samples::hostile_names().size());
}

TEST(ReportForms, RandomNamesBreakNone) {
  text::NastyText nasty(41);
  stats::Scores scores;
  for (int i = 0; i < 500; ++i) scores.tests.push_back(samples::flaky(nasty.next(), 0.3, 0.1, 9, 1));
  const auto table = report_table(scores, {});
  const auto markdown = report_markdown(scores, {});
  const auto json = report_json(scores, {});
  EXPECT_FALSE(text::has_hidden(table) || text::has_hidden(markdown) || text::has_hidden(json));
  EXPECT_EQ(flakestat::testing::lines_of(table).size(), 1 + 500 + 1 + 2U);
  EXPECT_EQ(flakestat::testing::lines_of(markdown).size(), 2 + 2 + 500 + 1 + 1U);
  rapidjson::Document document;
  document.Parse(json.c_str());
  ASSERT_FALSE(document.HasParseError());
  EXPECT_EQ(document["results"].Size(), 500U);
}

TEST(ReportMarkdown, EmptyHistory) {
  EXPECT_EQ(report_markdown({}, {}),
            "**0 flaky, 0 suspect, 0 consistently failing, 0 stable, 0 unscored (of 0 tests)**\n\nno tests\n\n"
            "- nothing ran: no failure rate is ruled out\n");
}

TEST(ReportJson, EveryVerdict) {
  ReportOptions options;
  options.all = true;
  EXPECT_GOLDEN("report/report.json", report_json(samples::every_verdict(), options));
}

TEST(ReportJson, HostileNames) {
  const auto json = report_json(samples::hostile(), {});
  EXPECT_FALSE(text::has_hidden(json));
  EXPECT_GOLDEN("report/report_hostile.json", json);
}

TEST(ReportJson, FlipRateKnowsNoProbabilities) {
  ReportOptions options;
  options.model = stats::Model::flip_rate;
  const auto json = report_json(samples::every_verdict(), options);
  EXPECT_THAT(json, HasSubstr("\"model\": \"flip-rate\""));
  EXPECT_THAT(json, HasSubstr("\"p_flaky\": null"));
  EXPECT_THAT(json, HasSubstr("\"break_rate\": null"));
}

TEST(ReportJson, CountsWhatItLeavesOut) {
  ReportOptions options;
  options.top = 2;
  options.json = text::JsonStyle::compact;
  EXPECT_THAT(report_json(many_flaky(5), options), HasSubstr("\"left_out\":3,"));
  EXPECT_THAT(report_json({}, options), EndsWith("\"left_out\":0,\"not_seen\":null}\n"));
}

TEST(ReportJson, NumbersThatAreNoneAreNull) {
  auto scores = with_tests({samples::flaky("a", std::nan(""), 0, 1, 1)});
  EXPECT_THAT(report_json(scores, {}), HasSubstr("\"score\": null"));
}

}  // namespace
}  // namespace flakestat::report
