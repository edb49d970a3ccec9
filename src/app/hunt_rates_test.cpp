// Hunts of a suite whose true failure rates are known: real processes, the real log, verdicts and numbers of the
// document. Counts are small by default and printed; FLAKESTAT_SOAK=1 makes them those of the contract.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

struct Rate {
  std::string text;
  double value;
};
const std::array<Rate, 10> kRates = {{{"0", 0},
                                      {"0.005", 0.005},
                                      {"0.01", 0.01},
                                      {"0.02", 0.02},
                                      {"0.05", 0.05},
                                      {"0.1", 0.1},
                                      {"0.25", 0.25},
                                      {"0.5", 0.5},
                                      {"0.9", 0.9},
                                      {"1", 1}}};
constexpr int kEach = 4;    // tests of every rate
constexpr int kSound = 12;  // more that never fail

int repetitions() { return std::getenv("FLAKESTAT_SOAK") != nullptr ? 200 : 20; }

World world_in(const std::string& directory, std::string& document) {
  World world;
  world.directory = directory;
  world.env = [](std::string_view) { return std::nullopt; };
  world.now = [] { return UnixMillis{1'781'000'000'000}; };
  world.out = [&document](std::string_view text) {
    document += text;
    return Result<void>{};
  };
  world.note = world.warn = world.progress = [](std::string_view) {};
  return world;
}

// One hunt in a folder and a history of its own.
rapidjson::Document hunt_once(int repetition, HuntRequest request) {
  const testing::TempDir folder;
  request.common.dir = folder.file("state");
  request.common.format = "json";
  request.common.default_branch = "main";
  request.junit = folder.file("report.xml");
  request.all = true;
  request.command = {std::string(FLAKESTAT_PROGRAMS_DIR) + "/rated_suite",
                     "{junit}",
                     std::to_string(repetition),
                     std::to_string(kEach),
                     std::to_string(kSound),
                     "{tests}"};
  request.id = "{name}";
  std::string text;
  const auto ended = hunt(world_in(folder.path().string(), text), request);
  EXPECT_TRUE(ended.ok()) << (ended.ok() ? "" : ended.error().message);
  rapidjson::Document document;
  document.Parse(text.c_str());
  EXPECT_FALSE(document.HasParseError()) << text.substr(0, 200);
  return document;
}

// `r0.05.3` -> `0.05`
std::string rate_of(const rapidjson::Value& test) {
  const std::string name = test["name"].GetString();
  return name.substr(1, name.rfind('.') - 1);
}

// P(X <= hits), X binomial.
double binomial_below(int hits, int trials, double p) {
  double sum = 0;
  for (int i = 0; i <= hits; ++i) {
    sum += std::exp(std::lgamma(trials + 1) - std::lgamma(i + 1) - std::lgamma(trials - i + 1) + i * std::log(p) +
                    (trials - i) * std::log1p(-p));
  }
  return sum;
}

// Either tail holds at least 2.5e-6: over ten rates a sound hunt would be blamed once in 20,000 choices of the seeds,
// and the seeds are fixed.
bool is_plausible(int hits, int trials, double p) {
  constexpr double kTail = 2.5e-6;
  if (p <= 0) return hits == 0;
  if (p >= 1 - 1e-15) return hits == trials;
  return binomial_below(hits, trials, p) >= kTail && 1 - binomial_below(hits - 1, trials, p) >= kTail;
}

// Docs/scoring.md, section 10: what disagrees within n runs is found, nothing else.
TEST(HuntRates, DetectionIsWhatTheRunsCouldShow) {
  std::map<std::string, int> flaky;
  std::map<std::string, int> trials;
  for (int repetition = 0; repetition < repetitions(); ++repetition) {
    HuntRequest request;
    request.runs = 100;
    const auto document = hunt_once(repetition, request);
    for (const auto& test : document["results"].GetArray()) {
      ++trials[rate_of(test)];
      flaky[rate_of(test)] += std::string(test["verdict"].GetString()) == "flaky" ? 1 : 0;
    }
  }
  std::cout << repetitions() << " hunts of 100 runs: rate, flaky, tests, expected share\n";
  for (const auto& [text, p] : kRates) {
    const double expected = 1 - std::pow(1 - p, 100) - std::pow(p, 100);
    std::cout << text << " " << flaky[text] << " " << trials[text] << " " << expected << "\n";
    EXPECT_EQ(trials[text], repetitions() * (kEach + (p > 0 ? 0 : kSound)));
    EXPECT_TRUE(is_plausible(flaky[text], trials[text], expected)) << text;
  }
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

// Of the run at which a test settles, by its exact distribution: open after n runs when all passed (n < 59) or all
// failed (n < 14).
Moments runs_to_settle(double p) {
  double mean = 1;
  double second = 1;  // E[T^2] = sum (2n + 1) P(T > n)
  for (int n = 1; n < 59; ++n) {
    const double open = std::pow(1 - p, n) + (n < 14 ? std::pow(p, n) : 0);
    mean += open;
    second += (2 * n + 1) * open;
  }
  return {mean, second - mean * mean};
}

TEST(HuntRates, MeanRunsUnderSettlingAreThoseOfTheTable) {
  std::map<std::string, double> runs;
  std::map<std::string, int> trials;
  for (int repetition = 0; repetition < repetitions(); ++repetition) {
    HuntRequest request;
    request.settle = true;
    request.rule_out = 0.05;
    const auto document = hunt_once(1000 + repetition, request);
    ASSERT_STREQ(document["goal"]["selecting"].GetString(), "{name}");
    for (const auto& test : document["tests"].GetArray()) {
      ++trials[rate_of(test)];
      runs[rate_of(test)] += test["passes"].GetDouble() + test["fails"].GetDouble();
      EXPECT_STRNE(test["standing"].GetString(), "open");
    }
  }
  const std::map<std::string, double> table = {{"0", 59},     {"0.01", 44.7}, {"0.05", 19.1},
                                               {"0.1", 10.1}, {"0.25", 4.3},  {"0.5", 3.0}};
  std::cout << repetitions() << " hunts until settled: rate, mean runs, tests, expected\n";
  for (const auto& [text, p] : kRates) {
    const auto expected = runs_to_settle(p);
    // A disagreement between whole and narrowed runs is waited out: run 3, the first that is narrowed, differs from the
    // two before with chance (1-p)^2 p + p^2 (1-p), and then the usual result takes 1/(1-p) or 1/p runs to come.
    const double waited = 2 * p * (1 - p);
    const double mean = runs[text] / trials[text] - waited;
    std::cout << text << " " << mean << " + " << waited << " " << trials[text] << " " << expected.mean << "\n";
    // 5 standard errors (the wait adds less than a run's): over ten rates fewer than one false alarm in 100,000 choices
    // of the seeds.
    const double variance = expected.variance + 4 * waited;
    EXPECT_NEAR(mean, expected.mean, 5 * std::sqrt(variance / trials[text]) + 1e-9) << text;
    const auto row = table.find(text);
    if (row == table.end()) continue;
    EXPECT_NEAR(expected.mean, row->second, 0.051) << text;
    if (repetitions() >= 200) {
      EXPECT_NEAR(mean, row->second, 0.1 * row->second) << text;
    }
  }
}

}  // namespace
}  // namespace flakestat::app
