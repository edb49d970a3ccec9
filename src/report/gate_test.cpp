#include "report/gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <sstream>

#include "report/ci_report.hpp"
#include "report/gate_samples.hpp"
#include "testing/golden.hpp"
#include "testing/lines.hpp"
#include "text/code_points.hpp"
#include "text/nasty_text.hpp"

namespace flakestat::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Whether a CI system would obey anything in a line but the command that it begins with.
bool obeys(std::string_view line, std::string_view ours) {
  if (!ours.empty() && line.starts_with(ours)) line.remove_prefix(ours.size());
  if (line.starts_with("::")) return true;
  for (const char* prefix : {"##[", "##vso[", "##teamcity["}) {
    if (line.find(prefix) != std::string_view::npos) return true;
  }
  return false;
}

void expect_harmless(const std::string& text, std::string_view ours) {
  EXPECT_FALSE(text::has_hidden(text));
  for (const auto& line : flakestat::testing::lines_of(text)) EXPECT_FALSE(obeys(line, ours)) << line.substr(0, 300);
}

std::size_t cells(const std::string& line) {
  std::size_t pipes = 0;
  for (std::size_t i = 0; i < line.size(); ++i) pipes += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
  return pipes;
}

TEST(GateText, EveryKind) {
  const auto result = samples::every_kind();
  EXPECT_GOLDEN("gate/every_kind.txt", gate_text(samples::gate_view(result)));
}

TEST(GateText, NothingToSay) {
  const auto result = samples::nothing();
  EXPECT_EQ(gate_text(samples::gate_view(result)),
            "nothing new, worse or fixed\n\n0 new, 0 worse, 0 accepted, 0 fixed\n"
            "newest run 4711 on main: 120 tests, 0 failing\ngate: passed\n");
}

TEST(GateText, HostileNames) {
  const auto result = samples::hostile_gate();
  const auto text = gate_text(samples::gate_view(result));
  expect_harmless(text, "");
  EXPECT_GOLDEN("gate/hostile.txt", text);
}

TEST(GateText, TheLastLineIsTheDecision) {
  auto result = samples::nothing();
  result.decision = rules::Decision::undecided;
  result.reasons = {"the newest run was an outage"};
  EXPECT_THAT(gate_text(samples::gate_view(result)), EndsWith("\ngate: undecided: the newest run was an outage\n"));
}

TEST(GateText, WhatDoesNotCountIsSaid) {
  const auto result = samples::every_kind();
  auto view = samples::gate_view(result);
  view.options.fail_on_new = view.options.fail_on_regression = false;
  view.has_baseline = false;
  const auto text = gate_text(view);
  EXPECT_THAT(text, HasSubstr("new flaky tests are no failure here"));
  EXPECT_THAT(text, HasSubstr("worse tests are no failure here"));
  EXPECT_THAT(text, HasSubstr("no baseline .flakestat/baseline.json"));
}

TEST(GateText, ColourOnlyWhenWanted) {
  const auto result = samples::every_kind();
  auto view = samples::gate_view(result);
  EXPECT_THAT(gate_text(view), Not(HasSubstr("\x1b")));
  view.look.colour = true;
  EXPECT_THAT(gate_text(view), HasSubstr("\x1b[31mworse"));
}

TEST(GateMarkdown, EveryKind) {
  const auto result = samples::every_kind();
  EXPECT_GOLDEN("gate/every_kind.md", gate_markdown(samples::gate_view(result)));
}

TEST(GateMarkdown, HostileNames) {
  const auto result = samples::hostile_gate();
  const auto markdown = gate_markdown(samples::gate_view(result));
  expect_harmless(markdown, "");
  for (const auto& line : flakestat::testing::lines_of(markdown)) {
    if (line.starts_with("| new") || line.starts_with("| known")) {
      EXPECT_EQ(cells(line), 6U) << line;
    }
  }
  EXPECT_GOLDEN("gate/hostile.md", markdown);
}

TEST(GateJson, EveryKind) {
  const auto result = samples::every_kind();
  EXPECT_GOLDEN("gate/every_kind.json", gate_json(samples::gate_view(result)));
}

TEST(GateJson, HostileNamesAreValuesAsTheyAre) {
  const auto result = samples::hostile_gate();
  const auto json = gate_json(samples::gate_view(result));
  EXPECT_FALSE(text::has_hidden(json));
  rapidjson::Document document;
  document.Parse(json.c_str());
  ASSERT_FALSE(document.HasParseError());
  EXPECT_EQ(document["new"][0]["name"].GetString(), result.new_flaky[0].name);
  EXPECT_EQ(document["new"].Size(), result.new_flaky.size());
}

TEST(GateAnnotations, OnlyWhereAFileIsKnown) {
  const auto result = samples::every_kind();
  const auto lines = gate_annotations(samples::gate_view(result));
  EXPECT_GOLDEN("gate/annotations.txt", lines);
  EXPECT_THAT(lines, Not(HasSubstr("test_token")));
}

TEST(GateAnnotations, WhatDoesNotFailIsAWarning) {
  const auto result = samples::every_kind();
  auto view = samples::gate_view(result);
  view.options.fail_on_new = false;
  EXPECT_THAT(gate_annotations(view), HasSubstr("::warning file=tests/test_auth.py,title=flakestat::newly flaky"));
}

TEST(GateAnnotations, HostileNames) {
  const auto result = samples::hostile_gate();
  const auto lines = gate_annotations(samples::gate_view(result));
  expect_harmless(lines, "::error file=");
  EXPECT_EQ(flakestat::testing::lines_of(lines).size(), result.new_flaky.size());
  for (const auto& line : flakestat::testing::lines_of(lines)) {
    EXPECT_NE(line.find(",title=flakestat::newly flaky test: "), std::string::npos) << line.substr(0, 200);
  }
}

TEST(GateAnnotations, PathsAreRelativeToTheRoot) {
  auto result = samples::nothing();
  result.new_flaky = {samples::gate_item("t", 0.4), samples::gate_item("u", 0.4)};
  result.new_flaky[0].file = "/home/me/project/a.py";
  result.new_flaky[1].file = "././b.py";
  auto view = samples::gate_view(result);
  view.root = "/home/me/project";
  EXPECT_THAT(gate_annotations(view), HasSubstr("file=a.py,"));
  EXPECT_THAT(gate_annotations(view), HasSubstr("file=b.py,"));
}

TEST(GateCodeQuality, EveryKind) {
  const auto result = samples::every_kind();
  EXPECT_GOLDEN("gate/code_quality.json", gate_code_quality(samples::gate_view(result)));
}

TEST(GateCodeQuality, FingerprintsAreOfTestAndKindAlone) {
  auto result = samples::every_kind();
  const auto first = gate_code_quality(samples::gate_view(result));
  result.new_flaky.front().score = 0.5;
  rapidjson::Document before, after;
  before.Parse(first.c_str());
  after.Parse(gate_code_quality(samples::gate_view(result)).c_str());
  ASSERT_EQ(before.Size(), after.Size());
  for (rapidjson::SizeType i = 0; i < before.Size(); ++i) {
    EXPECT_STREQ(before[i]["fingerprint"].GetString(), after[i]["fingerprint"].GetString());
  }
  EXPECT_STRNE(before[0]["fingerprint"].GetString(), before[1]["fingerprint"].GetString());
}

TEST(GateCodeQuality, HostileNames) {
  const auto result = samples::hostile_gate();
  const auto json = gate_code_quality(samples::gate_view(result));
  EXPECT_FALSE(text::has_hidden(json));
  rapidjson::Document document;
  document.Parse(json.c_str());
  ASSERT_FALSE(document.HasParseError());
  EXPECT_EQ(document.Size(), result.new_flaky.size());
}

TEST(CiMarkdown, EveryKind) {
  const auto result = samples::every_kind();
  const auto markdown = ci_markdown(samples::gate_view(result));
  EXPECT_THAT(markdown, StartsWith("<!-- flakestat-report -->\n"));
  EXPECT_GOLDEN("gate/ci_report.md", markdown);
}

TEST(CiMarkdown, HostileNames) {
  const auto result = samples::hostile_gate();
  const auto markdown = ci_markdown(samples::gate_view(result));
  expect_harmless(markdown, "");
  EXPECT_LE(markdown.size(), kMostReportBytes);
  EXPECT_GOLDEN("gate/ci_report_hostile.md", markdown);
}

TEST(CiMarkdown, FitsIntoAComment) {
  auto result = samples::nothing();
  for (int i = 0; i < 500; ++i) {
    result.new_flaky.push_back(samples::gate_item(std::to_string(i) + std::string(3000, '`') + "\xE6\x97\xA5", 0.4));
  }
  auto view = samples::gate_view(result);
  view.max_rows = 10'000;
  const auto markdown = ci_markdown(view);
  EXPECT_LE(markdown.size(), kMostReportBytes);
  EXPECT_THAT(markdown, HasSubstr("more newly flaky"));
}

TEST(CiMarkdown, RandomNamesKeepTheTableATable) {
  text::NastyText nasty(43);
  auto result = samples::nothing();
  for (int i = 0; i < 500; ++i) result.new_flaky.push_back(samples::gate_item(nasty.next(), 0.4));
  const auto markdown = gate_markdown(samples::gate_view(result));
  expect_harmless(markdown, "");
  std::size_t rows = 0;
  for (const auto& line : flakestat::testing::lines_of(markdown)) {
    if (!line.starts_with("| new")) continue;
    ++rows;
    EXPECT_EQ(cells(line), 6U) << line;
  }
  EXPECT_EQ(rows, 50U);
}

TEST(AzureCommands, EveryKind) {
  const auto result = samples::every_kind();
  EXPECT_GOLDEN("gate/azure.txt", azure_commands(samples::gate_view(result), "/home/me/flakestat.md"));
}

TEST(AzureCommands, HostileNames) {
  const auto result = samples::hostile_gate();
  const auto lines = azure_commands(samples::gate_view(result), "");
  EXPECT_FALSE(text::has_hidden(lines));
  for (const auto& line : flakestat::testing::lines_of(lines)) {
    EXPECT_THAT(line, StartsWith("##vso[task.logissue type="));
    EXPECT_FALSE(obeys(line.substr(2), "")) << line.substr(0, 300);
  }
}

TEST(AzureCommands, PassedIsOneLine) {
  const auto result = samples::nothing();
  EXPECT_EQ(azure_commands(samples::gate_view(result), ""), "gate: passed\n");
}

TEST(TeamCityMessages, EveryKind) {
  const auto result = samples::every_kind();
  EXPECT_GOLDEN("gate/teamcity.txt", teamcity_messages(samples::gate_view(result)));
}

TEST(TeamCityMessages, HostileNames) {
  const auto result = samples::hostile_gate();
  const auto lines = teamcity_messages(samples::gate_view(result));
  EXPECT_FALSE(text::has_hidden(lines));
  for (const auto& line : flakestat::testing::lines_of(lines)) {
    EXPECT_THAT(line, StartsWith("##teamcity["));
    EXPECT_THAT(line, EndsWith("']"));
    EXPECT_FALSE(obeys(line.substr(2), "")) << line.substr(0, 300);
  }
}

TEST(BaselineChange, AsTextAndAsJson) {
  const auto text = baseline_change_text(samples::change(), ".flakestat/baseline.json", {});
  EXPECT_FALSE(text::has_hidden(text));
  EXPECT_GOLDEN("gate/baseline_change.txt", text);
  EXPECT_GOLDEN("gate/baseline_change.json", baseline_change_json(samples::change(), ".flakestat/baseline.json"));
}

}  // namespace
}  // namespace flakestat::report
