#include "report/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "report/explain_reasons.hpp"
#include "report/explain_samples.hpp"
#include "report/explain_sections.hpp"
#include "report/explain_strip.hpp"
#include "testing/golden.hpp"
#include "text/code_points.hpp"
#include "text/nasty_text.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> reasons_of(const Explanation& found) {
  std::vector<std::string> out;
  for (const auto& reason : explain_reasons(found)) out.push_back(reason.plain());
  return out;
}

TEST(Explain, Table) { EXPECT_GOLDEN("explain/explain.txt", explain_text(samples::explanation(), {})); }

TEST(Explain, Markdown) { EXPECT_GOLDEN("explain/explain.md", explain_markdown(samples::explanation(), {})); }

TEST(Explain, Json) { EXPECT_GOLDEN("explain/explain.json", explain_json(samples::explanation(), {})); }

TEST(Explain, HostileText) {
  const auto names = samples::hostile_names();
  std::string text;
  std::string markdown;
  std::string json;
  for (const auto& name : names) {
    const auto found = samples::explanation(name, name);
    text += explain_text(found, {}) + "\n";
    markdown += explain_markdown(found, {}) + "\n";
    json += explain_json(found, {});
  }
  EXPECT_FALSE(text::has_hidden(text) || text::has_hidden(markdown) || text::has_hidden(json));
  EXPECT_GOLDEN("explain/hostile.txt", text);
  EXPECT_GOLDEN("explain/hostile.md", markdown);
}

TEST(Explain, RandomTextBreaksNone) {
  text::NastyText nasty(17);
  for (int i = 0; i < 200; ++i) {
    const auto found = samples::explanation(nasty.next(), nasty.next());
    EXPECT_FALSE(text::has_hidden(explain_text(found, {})));
    EXPECT_FALSE(text::has_hidden(explain_markdown(found, {})));
    rapidjson::Document document;
    document.Parse(explain_json(found, {}).c_str());
    ASSERT_FALSE(document.HasParseError());
  }
}

TEST(Explain, CommandsForWorkflowsAreNoCommandsHere) {
  const auto found = samples::explanation("::error file=a::boom", "::warning::x\n::error::y");
  EXPECT_THAT(explain_text(found, {}), Not(HasSubstr("\n::")));
  EXPECT_THAT(explain_markdown(found, {}), Not(HasSubstr("\n::")));
}

TEST(Explain, NoNameIsALogCommandAnywhereInALine) {
  const auto found = samples::explanation("##vso[task.complete result=Succeeded]", "##[error]x");
  EXPECT_THAT(explain_text(found, {}), AllOf(Not(HasSubstr("##vso[")), Not(HasSubstr("##[error]"))));
  EXPECT_THAT(explain_markdown(found, {}), AllOf(Not(HasSubstr("##vso[")), Not(HasSubstr("##[error]"))));
  auto bare = samples::explanation("group", "x");
  bare.score.suite.clear();
  bare.score.class_name = "::error";
  EXPECT_EQ(explain_text(bare, {}).substr(0, 5), "\\x3a:");
}

TEST(Explain, LongNamesAreTaken) {
  const auto found = samples::explanation(std::string(10'000, 'x'), std::string(10'000, 'y'));
  EXPECT_THAT(explain_text(found, {}), HasSubstr(std::string(10'000, 'x')));
}

TEST(Explain, ColourOnlyWhenWanted) {
  ExplainOptions options;
  EXPECT_THAT(explain_text(samples::explanation(), options), Not(HasSubstr("\x1b")));
  options.look.colour = true;
  EXPECT_THAT(explain_text(samples::explanation(), options), HasSubstr("\x1b[31mF\x1b[0m"));
}

TEST(Explain, BrokenCodeIsNeverBlamedForWhatDisagreedOnTheSameCode) {
  auto found = samples::explanation();
  for (const auto verdict : {Verdict::stable, Verdict::suspect}) {
    found.score.verdict = verdict;
    found.score.known_flaky = false;
    found.score.proofs = 1;
    const auto reasons = reasons_of(found);
    ASSERT_GE(reasons.size(), 2U);
    EXPECT_THAT(reasons[0], HasSubstr(": proof"));
    EXPECT_THAT(reasons[1], HasSubstr("but P(flaky) is "));
    for (const auto& reason : reasons) EXPECT_THAT(reason, Not(HasSubstr("broken code")));
  }
}

TEST(ExplainStrip, WrapsAtTheWidthWithMarksUnderTheirLetters) {
  StripLane lane{{}, std::string(25, 'P') + "F", std::string(25, ' ') + "^"};
  EXPECT_THAT(strip_lines(lane, 40, false),
              ElementsAre("P P P P P P P P P P P P P P P P P P P P", "P P P P P F", "          ^"));
}

TEST(ExplainStrip, OnlyTheNewestAndOnlyWhatOccursIsInTheLegend) {
  const auto found = samples::explanation();
  const auto strip = make_strip(found.trace, 5);
  EXPECT_EQ(strip.shown, 5U);
  EXPECT_EQ(strip.total, 12U);
  ASSERT_EQ(strip.lanes.size(), 2U);
  EXPECT_EQ(strip.lanes[0].letters, "fp");
  EXPECT_EQ(strip.lanes[1].letters, "PPp");
  EXPECT_EQ(strip.legend.plain(), "P passed, p f doubtful, ! differs on the same code");
  EXPECT_EQ(strip.doubtful.size(), 2U);
}

TEST(ExplainStrip, ManyContextsAreCut) {
  stats::Trace trace;
  trace.jobs.emplace_back();
  trace.runs.emplace_back();
  for (std::uint32_t context = 0; context < 30; ++context) {
    trace.contexts.push_back({"b" + std::to_string(context), "e", false});
    samples::add_executions(trace, context, "P", " ");
  }
  const auto strip = make_strip(trace, 40);
  EXPECT_EQ(strip.lanes.size(), 12U);
  EXPECT_EQ(strip.lanes_left_out, 18U);
  EXPECT_EQ(strip.lanes.back().context.plain(), "b29, e");
}

TEST(ExplainReasons, FullCommitsAreCutAndWhatFollowsStays) {
  const std::string commit(40, 'a');
  EXPECT_EQ(short_code(commit), std::string(12, 'a'));
  EXPECT_EQ(short_code(commit + "+12ab"), std::string(12, 'a') + "+12ab");
  EXPECT_EQ(short_code("v1.2.3"), "v1.2.3");
  EXPECT_EQ(short_code(commit + "x"), commit + "x");
}

TEST(ExplainReasons, EveryVerdictHasOneUnderBothModels) {
  for (const auto model : {stats::Model::bayes, stats::Model::flip_rate}) {
    for (const auto& score : samples::every_verdict().tests) {
      Explanation found;
      found.model = model;
      found.score = score;
      found.min_runs = 5;
      const auto reasons = reasons_of(found);
      ASSERT_FALSE(reasons.empty()) << to_string(score.verdict);
      EXPECT_GT(reasons.front().size(), 20U);
      EXPECT_THAT(explain_text(found, {}), HasSubstr(reasons.front()));
    }
  }
}

TEST(ExplainReasons, ContentionIsNoProof) {
  Explanation found;
  found.score = samples::with_runs(samples::score("s", "C", "t", Verdict::suspect), 18, 2);
  found.findings.failures_under_contention = 2;
  EXPECT_THAT(reasons_of(found).front(), HasSubstr("contention can do that, so it is no proof"));
}

TEST(ExplainReasons, OutagesAreNamedNewestFirst) {
  const auto reasons = reasons_of(samples::explanation());
  EXPECT_EQ(reasons.back(),
            "discounted: 36 of 40 tests failed in job os=linux on 0123456789ab+5f1e0c3a, an outage: its failures say "
            "little about this test");
}

TEST(ExplainPercent, HasAsManyDigitsAsMeanSomething) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0.5), "50 %");
  EXPECT_EQ(percent(0.025), "2.5 %");
  EXPECT_EQ(percent(0.0012), "0.12 %");
  EXPECT_EQ(percent(0.00001), "<0.01 %");
}

}  // namespace
}  // namespace flakestat::report
