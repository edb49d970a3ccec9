#include "report/run_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>

#include "base/strings.hpp"
#include "report/run_samples.hpp"
#include "report/run_warnings.hpp"
#include "report/run_words.hpp"
#include "testing/golden.hpp"
#include "text/escape.hpp"
#include "text/nasty_text.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string summary_of(const samples::Events& events, const RunSummaryOptions& options = {}) {
  return run_summary(samples::record_of(events), options);
}

RunSummaryOptions extras() {
  RunSummaryOptions options;
  options.extras_only = true;
  options.notes = true;
  return options;
}

TEST(RunSummary, EverySection) {
  RunSummaryOptions options;
  options.durations = 3;
  EXPECT_GOLDEN("run/summary.txt", summary_of(samples::run_events(), options));
}

TEST(RunSummary, BehindTheFrameworksOwnOutputOnlyWhatItCannotKnow) {
  EXPECT_GOLDEN("run/extras.txt", summary_of(samples::run_events(), extras()));
  EXPECT_EQ(summary_of(samples::green_events(), extras()), "2 passed in 0.50s\n");
}

TEST(RunSummary, AGreenRunIsOneLine) { EXPECT_EQ(summary_of(samples::green_events()), "2 passed in 0.50s\n"); }

TEST(RunSummary, NothingRan) {
  RunFinished finished;
  finished.end = RunEnd::nothing_ran;
  finished.exit_code = 5;
  finished.seconds = 0.014;
  EXPECT_EQ(run_last_line(finished, {}), "no tests ran in 0.01s\n");
}

TEST(RunSummary, LongRunsAreGivenInHoursToo) {
  EXPECT_EQ(seconds_words(59.994), "59.99s");
  EXPECT_EQ(seconds_words(83.1), "83.10s (0:01:23)");
  EXPECT_EQ(seconds_words(3725), "3725.00s (1:02:05)");
  EXPECT_EQ(seconds_words(-1), "0.00s");
  EXPECT_EQ(seconds_words(std::nan("")), "0.00s");
}

TEST(RunSummary, LedgerWordsOnlyWhenTheLedgerHadSomething) {
  auto events = samples::green_events();
  events.resize(1);
  samples::add_test(events, samples::settled(0, RunFate::flaky, {samples::failed(0, "", "x"), samples::passed(1, "")}));
  samples::add_test(events, samples::settled(1, RunFate::quarantined, {samples::failed(0, "", "x")}));
  const auto text = summary_of(events);
  EXPECT_THAT(text, HasSubstr("\n  tests/test_api.py::test_ok  (1 rerun)\n"));
  EXPECT_THAT(text, HasSubstr("\n--- QUARANTINED tests/test_api.py::test_fails ---\n"));
  EXPECT_THAT(summary_of(samples::run_events()),
              HasSubstr("\n  tests/test_api.py::test_flaky[a b]  (1 rerun; flaked 7x before, failed 2x)\n"));
  EXPECT_THAT(summary_of(samples::run_events()),
              HasSubstr("\n--- QUARANTINED tests/test_api.py::test_known ---  (flaked 7x, failed 2x before)\n"));
}

TEST(RunSummary, ShortLinesFitAndKeepTheId) {
  RunSummaryOptions options;
  options.look.width = 50;
  const auto text = summary_of(samples::run_events(), options);
  EXPECT_THAT(text, HasSubstr("\nFAILED tests/test_api.py::test_fails - AssertionE\u2026\n"));
  EXPECT_THAT(text, HasSubstr("\nERROR tests/test_api.py::test_segfault - crashed:"));
}

TEST(RunSummary, HeadingsAreAsWideAsTheTerminal) {
  for (const std::size_t width : {20U, 79U, 80U, 200U}) {
    EXPECT_EQ(text::display_width(section_line("FAILURES", {width, false})), width);
  }
  EXPECT_EQ(section_line("FAILURES", {20, false}), "===== FAILURES =====");
}

TEST(RunSummary, ManyWarningsOfOneKindAreCountedByFile) {
  std::vector<RunWarning> warnings;
  for (int i = 0; i < 9; ++i) warnings.push_back({"a.py::t" + std::to_string(i), "a.py:1", "W: x"});
  EXPECT_THAT(warnings_text(warnings), HasSubstr("a.py::t8\n  a.py:1: W: x\n"));
  warnings.push_back({"b.py::t", "a.py:1", "W: x"});
  EXPECT_EQ(warnings_text(warnings), "a.py: 9 warnings\nb.py: 1 warning\n  a.py:1: W: x\n");
}

TEST(RunSummary, ForeignTextCannotSteerTheTerminal) {
  for (const auto& hostile : samples::hostile_run_texts()) {
    for (const auto& options : {RunSummaryOptions{}, extras()}) {
      EXPECT_FALSE(text::has_hidden(summary_of(samples::hostile_events_of_run(hostile), options))) << hostile;
    }
  }
}

TEST(RunSummary, ColourChangesNoWord) {
  RunSummaryOptions coloured;
  coloured.look.colour = true;
  const auto text = summary_of(samples::run_events(), coloured);
  EXPECT_THAT(text, HasSubstr("\x1b["));
  EXPECT_EQ(text::strip_ansi(text), summary_of(samples::run_events()));
}

TEST(RunSummary, WithoutAnEndThereIsNoLastLine) {
  auto events = samples::run_events();
  events.pop_back();
  EXPECT_THAT(summary_of(events), Not(HasSubstr("passed in")));
}

TEST(RunSummary, TheLastLinesOfADeadWorkerAreShown) {
  auto events = samples::green_events();
  std::string output;
  for (int i = 1; i <= 60; ++i) output += "line " + std::to_string(i) + "\n";
  events.insert(events.begin() + 1, WorkerLost{3, "exit code 3", std::nullopt, output, false});
  const auto text = summary_of(events);
  EXPECT_THAT(text, HasSubstr("--- gw3 died: exit code 3 ---  (not replaced)\n(10 lines before)\nline 11\n"));
  EXPECT_THAT(text, HasSubstr("line 60\n\n2 passed"));
}

}  // namespace
}  // namespace flakestat::report
