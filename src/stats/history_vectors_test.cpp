// The contract's histories written as logs and read back: the whole way gives what the filter alone gives.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <string>

#include "stats/example_log.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

void expect_numbers(const TestScore& t, simdjson::dom::element want) {
  EXPECT_NEAR(t.p_flaky, double(want["p_flaky"]), 1e-6);
  EXPECT_NEAR(t.score, double(want["score"]), 1e-6);
  EXPECT_NEAR(t.rate, double(want["rate"]), 1e-6);
  EXPECT_NEAR(t.lower_bound, double(want["lower_bound"]), 1e-6);
  EXPECT_NEAR(t.p_broken, double(want["p_broken"]), 1e-6);
  EXPECT_EQ(t.proofs, std::uint64_t(want["proofs"]));
  EXPECT_EQ(t.same_commit_flips, std::uint64_t(want["flips_same"]));
  EXPECT_EQ(t.cross_commit_flips, std::uint64_t(want["flips_cross"]));
  EXPECT_EQ(t.clean_runs, std::uint64_t(want["clean_runs"]));
  EXPECT_EQ(to_string(t.verdict), std::string_view(want["verdict"]));
  EXPECT_EQ(to_string(t.confidence), std::string_view(want["confidence"]));
}

std::size_t check_file(const std::string& file, Model model) {
  simdjson::dom::parser parser;
  simdjson::dom::element document = parser.load(std::string(FLAKESTAT_SOURCE_DIR) + "/tests/data/" + file);
  std::size_t checked = 0;
  for (auto element : simdjson::dom::array(document["examples"])) {
    SCOPED_TRACE(std::string(std::string_view(element["id"])));
    const auto example = as_log(element);
    auto options = example_options();
    options.min_runs = static_cast<int>(std::int64_t(element["min_runs"]));
    options.model = model;
    const auto t = of(score(shuffled(example.log.lines, checked), options), "t");
    if (model == Model::flip_rate) {
      EXPECT_NEAR(t.score, double(element["predecessor"]["score"]), 1e-6);
      EXPECT_NEAR(t.lower_bound, double(element["predecessor"]["lower_bound"]), 1e-6);
      EXPECT_EQ(to_string(t.verdict), std::string_view(element["predecessor"]["verdict"]));
    } else {
      if (!example.environments_in_order || example.hit_rate_given) continue;
      expect_numbers(t, element["new"]);
    }
    ++checked;
  }
  return checked;
}

TEST(HistoryVectors, WorkedExamplesComeOutOfALog) { EXPECT_EQ(check_file("scoring-examples.json", Model::bayes), 26U); }

TEST(HistoryVectors, RandomHistoriesComeOutOfALog) {
  EXPECT_GT(check_file("scoring-vectors.json", Model::bayes), 150U);
}

TEST(HistoryVectors, ThePredecessorsNumbersComeOutOfALog) {
  EXPECT_EQ(check_file("scoring-examples.json", Model::flip_rate), 27U);
  EXPECT_EQ(check_file("scoring-vectors.json", Model::flip_rate), 300U);
}

}  // namespace
}  // namespace flakestat::stats
