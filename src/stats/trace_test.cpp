#include "stats/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "stats/example_log.hpp"
#include "stats/random_log.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

struct Traced {
  TestScore score;
  Trace trace;
};

History history_of(const std::vector<Observation>& lines) {
  History history;
  for (const auto& line : lines) feed(history, line);
  return history;
}

Traced traced(const std::vector<Observation>& lines, const std::string& name,
              const ScoringOptions& options = example_options()) {
  const History history = history_of(lines);
  const auto scores = history.score(options);
  Traced out;
  out.score = of(scores, name);
  out.trace = history.trace(out.score.test_id, options, scores.outages);
  return out;
}

struct Counts {
  std::uint32_t passes = 0, fails = 0, skips = 0, transitions = 0, flips = 0, same_code_flips = 0, first_tries = 0,
                first_try_fails = 0, sanitised = 0;
};

Counts count(const Trace& trace) {
  Counts out;
  for (const auto& e : trace.executions) {
    if (e.first_try) {
      ++out.first_tries;
      if (e.failed()) ++out.first_try_fails;
    }
    if (e.compared_with) ++out.transitions;
    if (e.mark == Mark::flip) ++out.flips;
    if (e.mark == Mark::same_code_flip) ++out.same_code_flips;
    if (e.sanitised) ++out.sanitised;
    if (e.unrecorded) continue;
    if (e.skipped()) ++out.skips;
    else ++(e.failed() ? out.fails : out.passes);
  }
  return out;
}

// One letter an execution, one mark below it.
std::pair<std::string, std::string> strip(const Trace& trace) {
  std::pair<std::string, std::string> out;
  for (const auto& e : trace.executions) {
    out.first += e.skipped() ? '-' : e.failed() ? 'F' : 'P';
    out.second += e.mark == Mark::none ? ' ' : e.mark == Mark::flip ? '^' : '!';
  }
  return out;
}

void expect_counters(const TestScore& score, const Trace& trace) {
  const Counts counts = count(trace);
  EXPECT_EQ(counts.passes, score.passes) << score.name;
  EXPECT_EQ(counts.fails, score.fails) << score.name;
  EXPECT_EQ(counts.skips, score.skips) << score.name;
  EXPECT_EQ(counts.transitions, score.transitions) << score.name;
  EXPECT_EQ(counts.same_code_flips, score.same_commit_flips) << score.name;
  EXPECT_EQ(counts.flips, score.cross_commit_flips) << score.name;
}

// A mark stands exactly where an execution disagrees with the neighbour that is named, in the same context.
void expect_marks_between_neighbours(const Trace& trace) {
  std::map<std::uint32_t, std::uint32_t> newest;
  for (std::uint32_t i = 0; i < trace.executions.size(); ++i) {
    const auto& e = trace.executions[i];
    if (e.skipped()) {
      EXPECT_FALSE(e.compared_with.has_value());
      EXPECT_EQ(e.mark, Mark::none);
      continue;
    }
    if (e.compared_with) {
      ASSERT_TRUE(newest.contains(e.context));
      EXPECT_EQ(*e.compared_with, newest[e.context]) << "the neighbour is the one before in the context";
      const auto& before = trace.executions[*e.compared_with];
      EXPECT_EQ(e.mark != Mark::none, e.failed() != before.failed());
    } else {
      EXPECT_EQ(e.mark, Mark::none);
    }
    newest[e.context] = i;
  }
}

ScoringOptions options_of(Model model) {
  auto options = example_options();
  options.bayes.break_rate.reset();
  options.model = model;
  return options;
}

class TraceOfBothModels : public testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Trace, TraceOfBothModels, testing::Values(Model::bayes, Model::flip_rate),
                         [](const auto& model) { return model.param == Model::bayes ? "Bayes" : "FlipRate"; });

TEST_P(TraceOfBothModels, MarksAreTheCountersOfTheScoreOnRandomHistories) {
  std::size_t flips = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    auto options = options_of(GetParam());
    if (seed % 4 == 1) options.context_ignore = {"os"};
    if (seed % 4 == 2) options.same_code_window_ms = kHour;
    if (seed % 4 == 3) options.default_branch.clear();
    const auto log = random_log(seed, 10, 60);
    const History history = history_of(shuffled(log.lines, seed));
    const auto scores = history.score(options);
    for (const auto& score : scores.tests) {
      const auto trace = history.trace(score.test_id, options, scores.outages);
      expect_counters(score, trace);
      expect_marks_between_neighbours(trace);
      flips += score.same_commit_flips + score.cross_commit_flips;
      if (GetParam() == Model::bayes) {
        EXPECT_EQ(count(trace).first_tries, score.first_tries);
        EXPECT_EQ(count(trace).first_try_fails, score.first_try_fails);
      }
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(flips, 1000U);
}

TEST_P(TraceOfBothModels, MarksAreTheCountersOfTheScoreOnTheContractsHistories) {
  simdjson::dom::parser parser;
  simdjson::dom::element document = parser.load(std::string(FLAKESTAT_SOURCE_DIR) + "/tests/data/scoring-vectors.json");
  auto options = example_options();
  options.model = GetParam();
  std::size_t checked = 0;
  for (auto element : simdjson::dom::array(document["examples"])) {
    SCOPED_TRACE(std::string(std::string_view(element["id"])));
    const auto found = traced(as_log(element).log.lines, "t", options);
    expect_counters(found.score, found.trace);
    ++checked;
  }
  EXPECT_EQ(checked, 300U);
}

TEST_P(TraceOfBothModels, RecordsAreNumberedInTheOrderOfAdd) {
  const auto lines = shuffled(random_log(3, 6, 30).lines, 5);
  const auto found = traced(lines, "test1", options_of(GetParam()));
  ASSERT_GT(found.trace.executions.size(), 20U);
  for (const auto& e : found.trace.executions) {
    ASSERT_LT(e.record, lines.size());
    EXPECT_EQ(lines[e.record].name, "test1");
    EXPECT_TRUE(e.unrecorded || is_failure(lines[e.record].status) == e.failed());
    EXPECT_EQ(lines[e.record].run_id, found.trace.runs[e.run]);
  }
}

TEST(TraceOutages, JobsOfTheTraceAreThoseOfTheScore) {
  LogBook log;
  for (int c = 0; c < 30; ++c) {
    Place at;
    at.commit = "c" + std::to_string(100 + c);
    at.ts += c * kHour;
    for (int t = 0; t < 40; ++t) log.add(at, "test" + std::to_string(t), c == 20 && t < 36 ? 'F' : 'P');
  }
  const auto found = traced(log.lines, "test3");
  ASSERT_EQ(found.trace.executions.size(), 30U);
  const auto& out = found.trace.executions[20];
  EXPECT_TRUE(found.trace.job(out).outage);
  EXPECT_TRUE(found.trace.is_doubtful(out));
  EXPECT_EQ(found.trace.job(out).tests, 40U);
  EXPECT_EQ(found.trace.job(out).failures, 36U);
  EXPECT_EQ(found.trace.job(out).code, "c120");
  EXPECT_EQ(std::count_if(found.trace.jobs.begin(), found.trace.jobs.end(), [](const auto& j) { return j.outage; }), 1);
}

TEST(Trace, AFlipOnOneCodeIsToldFromOneAcrossCodes) {
  LogBook log;
  log.add_commits("t", "PPFP");
  Place at;
  at.commit = "commit1003";
  at.ts += 5 * kHour;
  log.add_all(at, "t", "PFS");
  const auto [outcomes, marks] = strip(traced(log.lines, "t").trace);
  EXPECT_EQ(outcomes, "PPFPPF-");
  EXPECT_EQ(marks, "  ^^ ! ");
}

TEST(Trace, OtherBranchesAndPlatformsAreNoNeighbours) {
  LogBook log;
  Place main;
  Place other;
  other.branch = "feature";
  other.commit = "f1";
  Place windows;
  windows.os = "windows";
  log.add(main, "t", 'P');
  other.ts += kHour;
  log.add(other, "t", 'F');
  windows.ts += 2 * kHour;
  log.add(windows, "t", 'F');
  for (const auto model : {Model::bayes, Model::flip_rate}) {
    const auto found = traced(log.lines, "t", options_of(model));
    EXPECT_EQ(strip(found.trace).second, "   ");
    EXPECT_EQ(found.trace.contexts.size(), 3U);
    EXPECT_EQ(std::count_if(found.trace.contexts.begin(), found.trace.contexts.end(),
                            [](const auto& c) { return c.branch == "main" && c.default_branch; }),
              2);
  }
}

TEST(Trace, CodeThatAnotherBranchSawFirstIsComparedThere) {
  LogBook log;
  Place at;
  at.commit = "shared";
  log.add(at, "t", 'P');
  at.branch = "feature";
  at.ts += kHour;
  at.run_id = "later";
  log.add(at, "t", 'F');
  EXPECT_EQ(strip(traced(log.lines, "t").trace).second, " !");
  EXPECT_EQ(strip(traced(log.lines, "t", options_of(Model::flip_rate)).trace).second, "  ");
}

TEST(Trace, AFailureWithoutALineIsShown) {
  LogBook log;
  Place at;
  log.add(at, "t", 'P').known_flaky = true;
  const auto found = traced(log.lines, "t");
  EXPECT_EQ(strip(found.trace), (std::pair<std::string, std::string>{"FP", " !"}));
  EXPECT_TRUE(found.trace.executions[0].unrecorded);
  EXPECT_EQ(strip(traced(log.lines, "t", options_of(Model::flip_rate)).trace).first, "P");
}

TEST(Trace, DuplicatesAreNotShown) {
  LogBook log;
  log.add_commits("t", "PF");
  auto lines = log.lines;
  lines.push_back(lines[1]);
  lines.back().ts += 1000;
  const auto found = traced(lines, "t");
  ASSERT_EQ(found.trace.executions.size(), 2U);
  EXPECT_EQ(found.trace.executions[1].record, 1U) << "the earliest of equal keys counts";
}

TEST(Trace, OfATestThatIsNotThereIsEmpty) {
  LogBook log;
  log.add_commits("t", "PF");
  EXPECT_TRUE(history_of(log.lines).trace(test_id("x", "y", "z"), example_options(), {}).executions.empty());
  EXPECT_TRUE(History().trace(test_id("x", "y", "z"), example_options(), {}).executions.empty());
}

}  // namespace
}  // namespace flakestat::stats
