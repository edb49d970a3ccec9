// The worked examples and random histories of the contract, at the level of the pure models.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <string>
#include <vector>

#include "stats/bayes_filter.hpp"
#include "stats/bayes_reading.hpp"
#include "stats/detectability.hpp"
#include "stats/flip_rate.hpp"

namespace flakestat::stats {
namespace {

constexpr double kTolerance = 1e-6;
constexpr double kBreakRate = 0.003;

struct Numbers {
  std::map<std::string, std::uint32_t> known;
  std::uint32_t of(const std::string& text) {
    return known.try_emplace(text, static_cast<std::uint32_t>(known.size())).first->second;
  }
};

struct Run {
  std::string commit;
  std::string branch;
  std::string environment;
  std::string outcomes;
  double hit_rate = 0;
};

std::vector<Run> runs_of(simdjson::dom::element example) {
  std::vector<Run> out;
  for (auto run : simdjson::dom::array(example["runs"])) {
    Run one{std::string(std::string_view(run["commit"])), std::string(std::string_view(run["branch"])),
            std::string(std::string_view(run["env"])), std::string(std::string_view(run["outcomes"]))};
    double hit = 0;
    if (run["hit_rate"].get(hit) == simdjson::SUCCESS) one.hit_rate = hit;
    out.push_back(one);
  }
  return out;
}

template <class Visitor>
std::size_t for_each_example(const std::string& file, Visitor visit) {
  simdjson::dom::parser parser;
  const std::string path = std::string(FLAKESTAT_SOURCE_DIR) + "/tests/data/" + file;
  std::size_t count = 0;
  simdjson::dom::element document = parser.load(path);
  for (auto example : simdjson::dom::array(document["examples"])) {
    SCOPED_TRACE(std::string(std::string_view(example["id"])));
    visit(example);
    ++count;
  }
  return count;
}

void check_bayes(simdjson::dom::element example) {
  const BayesFilter filter({}, 24LL * 3600 * 1000);
  EvidenceArena arena;
  LaneBook lanes;
  TestState test = filter.fresh();
  Numbers commits, branches, environments;
  RunCounts counts;
  for (const auto& run : runs_of(example)) {
    const Likelihood likelihood = filter.likelihood(run.hit_rate);
    const Visit visit{branches.of(run.branch), environments.of(run.environment), commits.of(run.commit),
                      run.branch == "main"};
    for (const char outcome : run.outcomes) {
      if (outcome == 'S') continue;
      const bool failed = outcome == 'F';
      ++(failed ? counts.fails : counts.passes);
      filter.apply(test, lanes.enter(visit).lane(0), arena, visit, {failed, run.hit_rate <= 0}, likelihood, kBreakRate);
    }
  }
  const auto reading = read_state(test, lanes, 0, filter);
  const auto verdict = bayes_verdict(counts, test, reading, {}, static_cast<int>(std::int64_t(example["min_runs"])));
  const auto want = example["new"];
  EXPECT_NEAR(reading.p_flaky, double(want["p_flaky"]), kTolerance);
  EXPECT_NEAR(reading.score, double(want["score"]), kTolerance);
  EXPECT_NEAR(reading.rate, double(want["rate"]), kTolerance);
  EXPECT_NEAR(reading.lower, double(want["lower_bound"]), kTolerance);
  EXPECT_NEAR(reading.p_broken, double(want["p_broken"]), kTolerance);
  EXPECT_EQ(test.proofs, std::uint64_t(want["proofs"]));
  EXPECT_EQ(test.same_code_flips, std::uint64_t(want["flips_same"]));
  EXPECT_EQ(test.cross_code_flips, std::uint64_t(want["flips_cross"]));
  EXPECT_EQ(test.clean, std::uint64_t(want["clean_runs"]));
  EXPECT_NEAR(ruled_out_above(test.clean), double(want["ruled_out_above"]), kTolerance);
  EXPECT_EQ(to_string(verdict), std::string_view(want["verdict"]));
  EXPECT_EQ(to_string(bayes_confidence(verdict, test, reading)), std::string_view(want["confidence"]));
}

void check_flip_rate(simdjson::dom::element example) {
  Numbers commits, contexts;
  std::vector<TimedOutcome> series;
  FlipRateCounts counts;
  for (const auto& run : runs_of(example)) {
    for (const char outcome : run.outcomes) {
      if (outcome == 'S') continue;
      const bool failed = outcome == 'F';
      ++(failed ? counts.fails : counts.passes);
      series.push_back(
          {contexts.of(run.branch + '\n' + run.environment), commits.of(run.commit), run.branch == "main", failed});
    }
  }
  const auto reading = flip_rate(series, {});
  const auto verdict = flip_rate_verdict(counts, reading, {}, static_cast<int>(std::int64_t(example["min_runs"])));
  const auto want = example["predecessor"];
  EXPECT_NEAR(reading.score, double(want["score"]), kTolerance);
  EXPECT_NEAR(reading.effective_n, double(want["eff_n"]), kTolerance);
  EXPECT_NEAR(reading.lower, double(want["lower_bound"]), kTolerance);
  EXPECT_EQ(to_string(verdict), std::string_view(want["verdict"]));
  std::uint64_t flips = 0;
  if (want["flips_same"].get(flips) == simdjson::SUCCESS) {
    EXPECT_EQ(reading.same_commit_flips, flips);
  }
  if (want["flips_cross"].get(flips) == simdjson::SUCCESS) {
    EXPECT_EQ(reading.cross_commit_flips, flips);
  }
}

TEST(ScoringVectors, All27WorkedExamplesAgreeInTheBayesModel) {
  EXPECT_EQ(for_each_example("scoring-examples.json", check_bayes), 27U);
}

TEST(ScoringVectors, All27WorkedExamplesAgreeInTheFlipRateModel) {
  EXPECT_EQ(for_each_example("scoring-examples.json", check_flip_rate), 27U);
}

TEST(ScoringVectors, All300RandomHistoriesAgreeInTheBayesModel) {
  EXPECT_EQ(for_each_example("scoring-vectors.json", check_bayes), 300U);
}

TEST(ScoringVectors, All300RandomHistoriesAgreeInTheFlipRateModel) {
  EXPECT_EQ(for_each_example("scoring-vectors.json", check_flip_rate), 300U);
}

}  // namespace
}  // namespace flakestat::stats
