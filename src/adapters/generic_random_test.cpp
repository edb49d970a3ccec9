// The generic adapter against suites made up at random, by rules that need no knowledge of how it decides.
#include <cstdlib>
#include <random>
#include <string_view>

#include "adapters/generic_test_world.hpp"

namespace flakestat::adapters {
namespace {

int suites() {
  const char* soak = std::getenv("FLAKESTAT_SOAK");
  const int count = soak != nullptr && std::string_view(soak) == "1" ? 20'000 : 300;
  std::printf("random suites: %d\n", count);
  return count;
}

class RandomSuite : public GenericWorld {
 protected:
  static constexpr int kMostRuns = 8;

  void make(unsigned seed) {
    random_.seed(seed);
    events_ = {};
    commands_.clear();
    outcomes_.clear();
    const int tests = static_cast<int>(random_() % 6) + 1;
    for (int i = 0; i < tests; ++i) {
      std::string outcomes;
      const auto rate = random_() % 4;
      for (int run = 0; run < kMostRuns; ++run) outcomes += random_() % 4 < rate ? 'F' : 'P';
      outcomes_["t" + std::to_string(i)] = outcomes;
    }
    options_.reruns.reruns = static_cast<int>(random_() % 4);
    options_.reruns.breaker = 0;
  }

  [[nodiscard]] char outcome(const std::string& test, int run) const {
    return outcomes_.at(test)[static_cast<std::size_t>(run - 1)];
  }

  // As a sound runner does it: exit code 1 when something fails.
  sys::ChildResult behave(int run) {
    std::string lines;
    bool fails = false;
    for (const auto& [test, outcomes] : outcomes_) {
      const bool selected = command_.find("--only") == std::string::npos || command_.ends_with("C#" + test) ||
                            command_.find("C#" + test + " ") != std::string::npos;
      if (!selected) continue;
      const bool failed = outcome(test, run) == 'F';
      fails = fails || failed;
      lines += (failed ? "fail " : "pass ") + test + ";";
    }
    report(lines);
    return exits(fails ? 1 : 0);
  }

  // `FFP` -> flaky after three attempts, when so many may be made.
  [[nodiscard]] std::string expected_alone(const std::string& outcomes) const {
    const auto made = outcomes.substr(0, static_cast<std::size_t>(options_.reruns.reruns) + 1);
    const auto pass = made.find('P');
    if (pass == std::string::npos) return "failed";
    return pass == 0 ? "passed" : "flaky";
  }

  std::mt19937 random_;
  std::map<std::string, std::string> outcomes_;
};

TEST_F(RandomSuite, SelectedRerunsEndAtTheFirstPassOrWithTheBudget) {
  select("suite --only {tests}");
  const int count = suites();
  for (int i = 0; i < count && !HasFailure(); ++i) {
    make(static_cast<unsigned>(i));
    SCOPED_TRACE("seed " + std::to_string(i));
    const auto finished = run([&](int number) { return behave(number); });
    bool green = true;
    for (const auto& [test, outcomes] : outcomes_) {
      const auto expected = expected_alone(outcomes);
      EXPECT_EQ(word(settled(test).fate), expected) << test << " " << outcomes;
      green = green && expected != "failed";
    }
    EXPECT_EQ(finished.exit_code, green ? 0 : 1);
    EXPECT_LE(commands_.size(), static_cast<std::size_t>(options_.reruns.reruns) + 1);
  }
}

TEST_F(RandomSuite, WholeRerunsAreGreenOnlyWhenTheLastOneIs) {
  const int count = suites();
  for (int i = 0; i < count && !HasFailure(); ++i) {
    make(static_cast<unsigned>(i));
    SCOPED_TRACE("seed " + std::to_string(i));
    const auto finished = run([&](int number) { return behave(number); });
    const auto last = static_cast<int>(commands_.size());
    bool last_is_green = true;
    for (const auto& [test, outcomes] : outcomes_) {
      last_is_green = last_is_green && outcome(test, last) == 'P';
      const auto made = outcomes.substr(0, static_cast<std::size_t>(last));
      const auto fate = settled(test).fate;
      EXPECT_EQ(made.find('F') == std::string::npos, fate == RunFate::passed) << test << " " << made;
      EXPECT_TRUE(made.back() == 'P' || fate == RunFate::failed) << test << " " << made;
    }
    EXPECT_EQ(finished.exit_code == 0, last_is_green);
    EXPECT_LE(last, options_.reruns.reruns + 1);
  }
}

}  // namespace
}  // namespace flakestat::adapters
