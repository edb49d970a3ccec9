// The contract's histories through the real command: what `check --update-baseline` accepts is what the scores say.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>
#include <map>
#include <string>

#include "app/commands.hpp"
#include "stats/example_log.hpp"
#include "store/append_log.hpp"
#include "store/baseline_file.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

using stats::fixture::kHour;
using stats::fixture::kNoon;

World world_in(const testing::TempDir& dir) {
  World world;
  world.env = [](std::string_view) { return std::nullopt; };
  world.directory = dir.path().string();
  world.now = [] { return kNoon + 10'000 * kHour; };
  world.out = [](std::string_view) -> Result<void> { return {}; };
  world.note = world.warn = world.progress = [](std::string_view) {};
  return world;
}

CheckRequest accept_request(const testing::TempDir& dir, simdjson::dom::element example, const std::string& model) {
  CheckRequest request;
  request.common.dir = dir.file("state");
  request.common.default_branch = "main";
  request.provenance.branch = "main";
  request.scoring.model = model;
  request.scoring.min_runs = static_cast<int>(std::int64_t(example["min_runs"]));
  request.scoring.break_rate = "0.003";
  request.update_baseline = true;
  return request;
}

// Flaky or not, and how flaky: in the file as in the scores. Returns whether it was flaky.
bool expect_the_same(simdjson::dom::element example, stats::Model model, const std::string& name) {
  const testing::TempDir dir;
  const auto log = stats::fixture::as_log(example).log;
  store::EncodedBatch batch;
  for (const auto& line : log.lines) batch.add(line);
  EXPECT_TRUE(store::append(dir.file("state"), batch));
  const auto request = accept_request(dir, example, name);
  const auto ending = check(world_in(dir), request);
  EXPECT_TRUE(ending) << ending.error().message;

  auto options = stats::fixture::example_options();
  options.model = model;
  options.min_runs = *request.scoring.min_runs;
  const auto score = stats::fixture::of(stats::fixture::score(log, options), "t");
  const auto baseline = store::read_baseline(dir.file("state/baseline.json"));
  EXPECT_TRUE(baseline && *baseline);
  const bool flaky = score.verdict == Verdict::flaky;
  EXPECT_EQ((*baseline)->tests.size(), flaky ? 1U : 0U);
  EXPECT_EQ((*baseline)->model, name);
  if (!flaky || (*baseline)->tests.empty()) return false;
  EXPECT_EQ((*baseline)->tests.front().score, score.score);
  EXPECT_EQ((*baseline)->tests.front().verdict, to_string(score.verdict));
  EXPECT_EQ((*baseline)->tests.front().test_id, score.test_id);
  return true;
}

// Each writes a log and a baseline to disk: all of them only in the long version (FLAKESTAT_SOAK).
std::size_t every() { return std::getenv("FLAKESTAT_SOAK") != nullptr ? 1 : 4; }

std::size_t flaky_examples(stats::Model model, const std::string& name) {
  simdjson::dom::parser parser;
  simdjson::dom::element document = parser.load(std::string(FLAKESTAT_SOURCE_DIR) + "/tests/data/scoring-vectors.json");
  std::size_t flaky = 0;
  std::size_t number = 0;
  for (auto example : simdjson::dom::array(document["examples"])) {
    if (number++ % every() != 0) continue;
    SCOPED_TRACE(std::string(std::string_view(example["id"])));
    flaky += expect_the_same(example, model, name);
  }
  return flaky;
}

TEST(CheckVectors, TheBaselineHoldsTheScoresOfTheBayesModel) {
  EXPECT_GT(flaky_examples(stats::Model::bayes, "bayes"), 10U);
}

TEST(CheckVectors, TheBaselineHoldsTheScoresOfThePredecessorsModel) {
  EXPECT_GT(flaky_examples(stats::Model::flip_rate, "flip-rate"), 5U);
}

}  // namespace
}  // namespace flakestat::app
