// Compaction with the scorer's rule: what is left scores as what was there, to the bit.
#include "app/execution_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "stats/scoring.hpp"
#include "store/compaction.hpp"
#include "store/encoded_batch.hpp"
#include "store/history_reader.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

constexpr UnixMillis kStart = 1'786'960'800'000;
constexpr UnixMillis kHour = 3'600'000;

// A few tests on a few commits, with copies of all kinds: equal, of another time, run, branch or outcome, and cut off.
class RandomLog {
 public:
  explicit RandomLog(unsigned seed) : random_(seed) {}

  std::vector<Observation> lines() {
    std::vector<Observation> out;
    for (int commit = 0; commit < 12; ++commit) {
      for (int test = 0; test < 6; ++test) {
        const auto original = execution(commit, test);
        out.push_back(original);
        for (int copies = below(3); copies > 0; --copies) out.push_back(copy_of(original));
        if (below(4) == 0) out.push_back(cut_off(out.back()));
      }
    }
    std::shuffle(out.begin(), out.end(), random_);
    return out;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  Observation execution(int commit, int test) {
    Observation o;
    o.ts = kStart + commit * 20 * kHour + test;
    o.run_id = "run" + std::to_string(commit);
    o.commit = "c" + std::to_string(commit);
    o.branch = below(3) == 0 ? "topic" : "main";
    o.suite = "s";
    o.name = "t" + std::to_string(test);
    o.test_id = test_id(o.suite, o.class_name, o.name);
    o.status = below(3) < test % 3 ? Status::fail : Status::pass;
    o.duration_ms = below(500);
    o.artifact = "00112233445566778899aabbccddeeff";
    if (below(8) != 0) o.exec_key = to_hex(flakestat::test_id(o.run_id, o.name, std::to_string(below(3))));
    return o;
  }

  Observation copy_of(Observation o) {
    if (below(2) == 0) o.ts += (below(5) - 2) * kHour;
    if (below(3) == 0) o.run_id += below(2) == 0 ? "a" : "-";
    if (below(4) == 0) o.status = o.status == Status::pass ? Status::fail : Status::pass;
    if (below(5) == 0) o.branch = "topic";
    if (below(5) == 0) o.attempt = below(3);
    if (below(9) == 0) o.contended = true;
    return o;
  }

  static Observation cut_off(Observation o) {
    o.partial = true;
    o.artifact = "ffeeddccbbaa99887766554433221100";
    o.exec_key = to_hex(flakestat::test_id("cut", o.name, o.run_id));
    return o;
  }

  std::mt19937 random_;
};

// As a log that was merged with cat: appending would drop the duplicates.
std::string encoded(const std::vector<Observation>& lines) {
  store::EncodedBatch batch;
  for (const auto& line : lines) batch.add(line);
  std::string out;
  for (const auto& line : batch.lines()) out += batch.text(line);
  return out;
}

std::string verdicts(const std::string& dir, stats::Model model) {
  stats::History history;
  auto stats = store::read_history(dir, [&](const ObservationView& view) { history.add(view); });
  EXPECT_TRUE(stats.ok());
  stats::ScoringOptions scoring;
  scoring.model = model;
  scoring.default_branch = "main";
  report::ReportOptions shown;
  shown.model = model;
  shown.all = true;
  auto scores = history.score(scoring);
  scores.duplicates = 0;  // what was dropped on the way is no verdict
  return report::report_json(scores, shown);
}

TEST(ScorersRule, VerdictsAreTheSameBeforeAndAfterCompactionInBothModels) {
  std::uint64_t dropped = 0, superseded = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const testing::TempDir temp;
    const auto dir = temp.file("state");
    (void)temp.write("state/runs.ndjson", encoded(RandomLog(seed).lines()));
    const auto bayes = verdicts(dir, stats::Model::bayes);
    const auto flip_rate = verdicts(dir, stats::Model::flip_rate);
    ScorersRule rule;
    const auto done = store::compact(dir, rule);
    ASSERT_TRUE(done) << done.error().message;
    dropped += done->duplicates;
    superseded += done->superseded;
    ASSERT_TRUE(verdicts(dir, stats::Model::bayes) == bayes) << seed;
    ASSERT_TRUE(verdicts(dir, stats::Model::flip_rate) == flip_rate) << seed;
    ScorersRule again;
    const auto second = store::compact(dir, again);
    ASSERT_TRUE(second);
    ASSERT_EQ(second->duplicates + second->superseded, 0u) << seed;
  }
  EXPECT_GT(dropped, 1000u);
  EXPECT_GT(superseded, 50u);
}

TEST(ScorersRule, ALineWithoutATimeGivesWayToOneThatHasIt) {
  const testing::TempDir temp;
  const std::string rest = R"("run_id":"a","name":"t","status":"pass","exec_key":"00000000000000aa"})"
                           "\n";
  const auto undated = R"({"ts":"never",)" + rest;
  const auto dated = R"({"ts":"2026-08-17T10:00:00.000Z",)" + rest;
  (void)temp.write("runs.ndjson", undated + dated);
  ScorersRule rule;
  ASSERT_TRUE(store::compact(temp.path().string(), rule));
  EXPECT_EQ(testing::slurp(temp.file("runs.ndjson")), dated);
}

}  // namespace
}  // namespace flakestat::app
