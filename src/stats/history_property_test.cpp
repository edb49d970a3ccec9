// What must not change a score: the order of lines, copies of lines, the number of files, of threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "stats/history_fixture.hpp"
#include "stats/random_log.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

int rounds(int few, int many) { return std::getenv("FLAKESTAT_SOAK") != nullptr ? many : few; }

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void expect_same(const TestScore& a, const TestScore& b) {
  EXPECT_EQ(a.test_id, b.test_id);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.verdict, b.verdict) << a.name;
  EXPECT_EQ(a.confidence, b.confidence);
  for (const auto field : {&TestScore::score, &TestScore::lower_bound, &TestScore::p_flaky, &TestScore::p_broken,
                           &TestScore::rate, &TestScore::flip_rate, &TestScore::ruled_out_above}) {
    EXPECT_TRUE(same_bits(a.*field, b.*field)) << a.name << ": " << a.*field << " " << b.*field;
  }
  for (const auto field :
       {&TestScore::runs, &TestScore::passes, &TestScore::fails, &TestScore::skips, &TestScore::weak_flips,
        &TestScore::transitions, &TestScore::same_commit_flips, &TestScore::cross_commit_flips, &TestScore::proofs,
        &TestScore::clean_runs, &TestScore::commits, &TestScore::branches, &TestScore::first_tries}) {
    EXPECT_EQ(a.*field, b.*field) << a.name;
  }
  EXPECT_EQ(a.first_seen, b.first_seen);
  EXPECT_EQ(a.last_seen, b.last_seen);
  EXPECT_EQ(a.last_failure, b.last_failure);
  EXPECT_EQ(a.proof_run_ids, b.proof_run_ids);
  EXPECT_EQ(a.broken_lanes, b.broken_lanes);
}

void expect_same(const Scores& a, const Scores& b) {
  ASSERT_EQ(a.tests.size(), b.tests.size());
  for (std::size_t i = 0; i < a.tests.size(); ++i) expect_same(a.tests[i], b.tests[i]);
  EXPECT_TRUE(same_bits(a.break_rate, b.break_rate));
  EXPECT_EQ(a.observations, b.observations);
  ASSERT_EQ(a.outages.size(), b.outages.size());
  for (std::size_t i = 0; i < a.outages.size(); ++i)
    EXPECT_TRUE(same_bits(a.outages[i].hit_rate, b.outages[i].hit_rate));
}

ScoringOptions options_of(Model model, int threads = 1) {
  auto options = example_options();
  options.bayes.break_rate.reset();
  options.model = model;
  options.threads = threads;
  return options;
}

class BothModels : public testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(History, BothModels, testing::Values(Model::bayes, Model::flip_rate),
                         [](const auto& model) { return model.param == Model::bayes ? "Bayes" : "FlipRate"; });

TEST_P(BothModels, InputOrderNeverMatters) {
  for (int seed = 1; seed <= rounds(12, 400); ++seed) {
    const auto log = random_log(static_cast<std::uint64_t>(seed), 12, 40);
    const auto options = options_of(GetParam());
    expect_same(score(log, options), score(shuffled(log.lines, static_cast<std::uint64_t>(seed) + 7), options));
    if (HasFatalFailure() || HasNonfatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST_P(BothModels, DuplicatesChangeNothing) {
  for (int seed = 1; seed <= rounds(12, 400); ++seed) {
    const auto log = random_log(static_cast<std::uint64_t>(seed), 12, 30);
    auto lines = log.lines;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::size_t copies = 0;
    for (const auto& line : log.lines) {
      if (line.exec_key.empty() || random() % 3 != 0) continue;
      auto copy = line;
      if (copy.ts != 0) copy.ts += 1 + static_cast<UnixMillis>(random() % 100000);
      copy.run_id += "-again";
      lines.push_back(copy);
      ++copies;
    }
    const auto options = options_of(GetParam());
    const auto scores = score(shuffled(lines, static_cast<std::uint64_t>(seed)), options);
    EXPECT_EQ(scores.duplicates, copies);
    expect_same(score(log, options), scores);
  }
}

TEST_P(BothModels, ThreadsChangeNoBit) {
  const auto log = random_log(4, 3000, 12);
  const auto one = score(log, options_of(GetParam()));
  for (const int threads : {2, 3, 8}) expect_same(one, score(log, options_of(GetParam(), threads)));
}

TEST_P(BothModels, ScoringTwiceAndAfterMoreLinesIsTheSameAsAFreshRead) {
  const auto log = random_log(9, 10, 30);
  const auto options = options_of(GetParam());
  History history;
  const std::size_t half = log.lines.size() / 2;
  for (std::size_t i = 0; i < half; ++i) feed(history, log.lines[i]);
  (void)history.score(options);
  for (std::size_t i = half; i < log.lines.size(); ++i) feed(history, log.lines[i]);
  expect_same(history.score(options), score(log, options));
  expect_same(history.score(options), score(log, options));
}

TEST(HistoryProperties, SplittingAJobIntoCallsChangesNothing) {
  for (int seed = 1; seed <= rounds(10, 200); ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    LogBook log;
    for (int c = 0; c < 30; ++c) {
      Place at;
      at.commit = "c" + std::to_string(100 + c);
      at.ts += c * kHour;
      at.run_id = "call-0";
      at.dimensions["ci.run_id"] = std::to_string(c);
      for (int t = 0; t < 30; ++t) log.add(at, "test" + std::to_string(t), c == 20 || random() % 40 == 0 ? 'F' : 'P');
    }
    auto split = log.lines;
    for (auto& line : split) line.run_id = "call-" + std::to_string(random() % 5);
    auto whole = score(log);
    auto parts = score(split);
    ASSERT_GE(whole.outages.size(), 1U) << "the outage is seen over all files";
    for (auto* scores : {&whole, &parts}) {
      for (auto& test : scores->tests) test.proof_run_ids.clear();
    }
    expect_same(whole, parts);
  }
}

// What 16 bytes a record must still hold: large attempts and repetitions, early and late times.
TEST(HistoryProperties, NothingIsCutOffInTheCompactForm) {
  LogBook log;
  Place at;
  at.source = Source::hunt;
  const std::vector<std::int32_t> attempts = {0, 8191, 8192, 1 << 20, 2147483647};
  for (const auto attempt : attempts) {
    auto& o = log.add(at, "t", attempt == 8192 ? 'F' : 'P');
    o.attempt = attempt;
    o.repetition = attempt;
  }
  log.lines[0].ts = 1;
  log.lines[4].ts = 253402300799999;  // 9999-12-31
  auto options = example_options();
  options.same_code_window_ms = std::int64_t{1} << 50;
  const auto t = of(score(shuffled(log.lines, 2), options), "t");
  EXPECT_EQ(t.first_seen, 1);
  EXPECT_EQ(t.last_seen, 253402300799999);
  EXPECT_EQ(t.same_commit_flips, 2U) << "8191 before 8192 before 2^20";
}

}  // namespace
}  // namespace flakestat::stats
