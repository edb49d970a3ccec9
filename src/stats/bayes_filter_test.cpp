#include "stats/bayes_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stats/bayes_reading.hpp"
#include "stats/detectability.hpp"
#include "stats/lane_book.hpp"
#include "stats/plain_filter.hpp"

namespace flakestat::stats {
namespace {

constexpr std::int64_t kDay = 24LL * 3600 * 1000;

struct Step {
  std::uint32_t branch, environment, code;
  bool failed;
  double hit_rate;
};

// Code by code, environment by environment, with branches that share codes, silences, outages and bursts.
std::vector<Step> random_history(std::mt19937_64& random, std::size_t codes) {
  std::vector<Step> out;
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const std::uint32_t environments = 1 + below(4);
  const std::uint32_t branches = 1 + below(5);
  double p = static_cast<double>(below(4)) * 0.1;
  std::uint32_t code = 0;
  for (std::size_t c = 0; c < codes; ++c) {
    code += below(20) == 0 ? 70U : 1U;
    if (below(30) == 0) p = static_cast<double>(below(11)) * 0.1;
    for (std::uint32_t e = 0; e < environments; ++e) {
      const std::uint32_t runs = below(50) == 0 ? 200 : below(4);
      const double h = below(12) == 0 ? 0.95 * static_cast<double>(below(5)) / 4 : 0.0;
      for (std::uint32_t r = 0; r < runs; ++r) {
        const std::uint32_t branch = below(3) == 0 ? below(branches) : 0;
        out.push_back({branch, e, code, static_cast<double>(random() % 1000) / 1000 < p, h});
      }
    }
  }
  return out;
}

class Subject {
 public:
  explicit Subject(bool several = true) : filter_({}, kDay, several), test_(filter_.fresh()) {}

  BreakSample apply(const Step& s, double rate = 0.003, UnixMillis start = 0, bool can_prove = true) {
    const Visit visit{s.branch, s.environment, s.code, s.branch == 0, start};
    return filter_.apply(test_, lanes_.enter(visit).lane(0), arena_, visit, {s.failed, can_prove},
                         filter_.likelihood(s.hit_rate), rate);
  }
  void burst(std::string_view outcomes) {
    for (const char o : outcomes) apply({0, 0, 1, o == 'F', 0});
  }
  double expected(const Step& s, double rate = 0.003) {
    const Visit visit{s.branch, s.environment, s.code, s.branch == 0, 0};
    return filter_.expected_failure(test_, lanes_.enter(visit).find(0), visit, rate);
  }
  [[nodiscard]] const TestState& state() const { return test_; }
  [[nodiscard]] BayesReading read() const { return read_state(test_, lanes_, 0, filter_); }

 private:
  BayesFilter filter_;
  TestState test_;
  LaneBook lanes_;
  EvidenceArena arena_;
};

bool same_bits(const Subject& subject, const fixture::PlainFilter& plain) {
  return subject.state().weight.at == plain.w && subject.state().flagged == plain.flag &&
         subject.state().clean == plain.clean && subject.read().p_broken == plain.p_broken();
}

TEST(BayesFilter, AgreesInEveryBitWithTheStepsWrittenDown) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    Subject subject;
    fixture::PlainFilter plain;
    for (const Step& s : random_history(random, 120)) {
      const double rate = 0.001 + static_cast<double>(seed % 5) * 0.005;
      subject.apply(s, rate);
      plain.apply(static_cast<int>(s.branch), static_cast<int>(s.environment), static_cast<int>(s.code), s.failed,
                  s.hit_rate, rate);
      ASSERT_TRUE(same_bits(subject, plain)) << "seed " << seed << " code " << s.code;
    }
  }
}

TEST(BayesFilter, WithOneEnvironmentTheShortcutGivesTheSameBits) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    Subject full(true);
    Subject quick(false);
    for (Step s : random_history(random, 150)) {
      s.environment = 0;
      const auto a = full.apply(s);
      const auto b = quick.apply(s);
      ASSERT_EQ(full.state().weight.at, quick.state().weight.at) << seed;
      ASSERT_EQ(a.counts, b.counts);
      ASSERT_EQ(a.broke, b.broke);
    }
    EXPECT_EQ(full.read().p_broken, quick.read().p_broken);
  }
}

TEST(BayesFilter, ExpectedFailureIsTheChanceThatTheFilterGivesToAFailure) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    Subject subject;
    auto history = random_history(random, 40);
    if (history.empty()) continue;
    for (auto& s : history) s.hit_rate = 0;
    for (std::size_t i = 0; i + 1 < history.size(); ++i) subject.apply(history[i]);
    const double before = subject.expected(history.back());
    EXPECT_GE(before, 0);
    EXPECT_LE(before, 1);
    EXPECT_EQ(before, subject.expected(history.back())) << "asking changes nothing";
  }
}

TEST(BayesFilter, OrderInsideACellDoesNotMatter) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 50; ++round) {
    std::string outcomes(5 + random() % 60, 'P');
    for (auto& o : outcomes) o = random() % 3 == 0 ? 'F' : 'P';
    Subject first;
    first.burst(outcomes);
    std::shuffle(outcomes.begin(), outcomes.end(), random);
    Subject second;
    second.burst(outcomes);
    for (std::size_t k = 0; k < kLevels; ++k) {
      EXPECT_NEAR(first.state().weight[k], second.state().weight[k], 1e-12);
    }
    EXPECT_EQ(first.state().proofs, second.state().proofs);
  }
}

// Section 12: n executions and f failures of a cell at once, in logarithms.
double flaky_after_cell(int n, int f) {
  const BayesFilter filter({}, kDay);
  std::array<double, kLevels> ln_weight{};
  const double b = 0.05;
  double top = -1e300;
  for (std::size_t k = 0; k < kLevels; ++k) {
    const double p = filter.rates()[k];
    const double ln_h = f * std::log(p) + (n - f) * std::log1p(-p);
    const double ln_q = f * std::log1p(-1e-8) + (n - f) * std::log(1e-8);
    const double a = std::log1p(-b) + ln_h;
    const double c = std::log(b) + ln_q;
    const double prior = k == 0 ? 0.95 : 0.05 / 23;
    ln_weight[k] = std::log(prior) + std::max(a, c) + std::log1p(std::exp(-std::fabs(a - c)));
    top = std::max(top, ln_weight[k]);
  }
  double sum = 0;
  for (const double l : ln_weight) sum += std::exp(l - top);
  return 1 - std::exp(ln_weight[0] - top) / sum;
}

TEST(BayesFilter, StepByStepAgreesWithTheWholeCellAtOnce) {
  for (const auto& [n, f] : {std::pair{100, 1}, {50, 25}, {400, 399}, {3000, 1}, {2500, 1}, {30, 0}, {30, 30}}) {
    Subject subject;
    subject.burst(std::string(static_cast<std::size_t>(f), 'F') + std::string(static_cast<std::size_t>(n - f), 'P'));
    EXPECT_NEAR(subject.read().p_flaky, flaky_after_cell(n, f), 1e-7) << n << " " << f;
  }
}

TEST(BayesFilter, OneFailureIsDecisiveUpTo2933RunsAndOnePassUpTo460) {
  Subject clean;
  clean.burst("F" + std::string(2932, 'P'));
  EXPECT_GE(clean.read().p_flaky, 0.95);
  clean.burst("P");
  EXPECT_LT(clean.read().p_flaky, 0.95);
  Subject red;
  red.burst("P" + std::string(459, 'F'));
  EXPECT_GE(red.read().p_flaky, 0.95);
  red.burst("F");
  EXPECT_LT(red.read().p_flaky, 0.95);
}

TEST(BayesFilter, StaysFiniteUnderExtremes) {
  std::mt19937_64 random(3);
  for (const double h : {0.0, 0.5, 0.95, 7.0, -1.0}) {
    Subject subject;
    for (int i = 0; i < 5000; ++i) {
      subject.apply({static_cast<std::uint32_t>(random() % 40), static_cast<std::uint32_t>(random() % 5),
                     static_cast<std::uint32_t>(i / 500), random() % 2 == 0, h});
    }
    double sum = 0;
    for (const double w : subject.state().weight.at) {
      ASSERT_TRUE(w >= 0 && w <= 1 + 1e-12);
      sum += w;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(BayesFilter, AZeroOfTheDeterministicLevelRevivesAtTheNextCommit) {
  Subject subject;
  for (int i = 0; i < 300; ++i) subject.burst("PF");
  EXPECT_EQ(subject.state().weight[0], 0.0);
  subject.apply({0, 0, 2, false, 0});
  EXPECT_GT(subject.state().weight[0], 0.0);
}

TEST(BayesFilter, NonsenseParametersDoNotBreakIt) {
  BayesParameters p;
  p.noise_floor = 0;
  p.prior_flaky = 2;
  p.start_broken = 1;
  p.break_rate_feature = -3;
  const BayesFilter filter(p, -5);
  TestState test = filter.fresh();
  LaneBook lanes;
  EvidenceArena arena;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Visit visit{0, 0, i / 3, true, 0};
    filter.apply(test, lanes.enter(visit).lane(0), arena, visit, {i % 2 == 0, true}, filter.likelihood(0), 0.5);
  }
  EXPECT_FALSE(std::isnan(read_state(test, lanes, 0, filter).score));
}

TEST(BayesFilter, LowerIsPositiveExactlyWhenFlakyIsCredible) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200; ++round) {
    Subject subject;
    for (const Step& s : random_history(random, 30)) subject.apply(s);
    const auto reading = subject.read();
    if (std::fabs(reading.p_flaky - 0.95) < 1e-9) continue;
    EXPECT_EQ(reading.lower > 0, reading.p_flaky >= 0.95);
  }
}

}  // namespace
}  // namespace flakestat::stats
