#include "run/case_sets.hpp"

#include <gmock/gmock.h>

#include "run/hunt_test_world.hpp"

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;

struct Runs {
  explicit Runs(const std::vector<std::string>& runs) {
    for (const auto& run : runs) numbers.push_back(sets.add(test_cases(run)));
  }
  [[nodiscard]] std::vector<std::size_t> lacks() const {
    const auto lacking = sets.lacking();
    std::vector<std::size_t> by_run;
    for (const auto number : numbers) by_run.push_back(lacking[number]);
    return by_run;
  }
  CaseSets sets;
  std::vector<std::size_t> numbers;
};

TEST(CaseSets, EqualRunsShareASetWhateverTheOrderAndTheOutcome) {
  const Runs runs({"pass a pass b", "fail b pass a"});
  EXPECT_EQ(runs.numbers[0], runs.numbers[1]);
  EXPECT_EQ(runs.sets.complete_runs(), 2U);
}

TEST(CaseSets, AShortRunLacksWhatOthersHave) {
  const Runs runs({"pass a", "pass a pass b pass c"});
  EXPECT_FALSE(runs.sets.complete(runs.numbers[0]));
  EXPECT_TRUE(runs.sets.complete(runs.numbers[1]));
  EXPECT_THAT(runs.lacks(), ElementsAre(2, 0));
}

TEST(CaseSets, ATestThatOnlyEverFailedIsNotMissedElsewhere) {
  EXPECT_THAT(Runs({"pass a", "error setUpClass"}).lacks(), ElementsAre(0, 1));
}

TEST(CaseSets, ATestThatFailsSometimesIsMissed) {
  EXPECT_THAT(Runs({"pass a fail b", "pass a pass b", "pass a"}).lacks(), ElementsAre(0, 0, 1));
}

TEST(CaseSets, OneAppearanceAmongManyRunsIsNotExpectedOfTheOthers) {
  EXPECT_THAT(Runs({"pass a", "pass a", "pass a pass once", "pass a"}).lacks(), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(Runs({"pass a", "pass a pass b", "pass a pass b", "pass a"}).lacks(), ElementsAre(1, 0, 0, 1));
}

TEST(CaseSets, NamesThatVaryAreTheSameTestsButTheirNumberCounts) {
  const Runs runs({"pass t[17] pass t[18]", "pass t[23] pass t[24]", "pass t[31]"});
  EXPECT_EQ(runs.numbers[0], runs.numbers[1]);
  EXPECT_THAT(runs.lacks(), ElementsAre(0, 0, 1));
}

TEST(CaseSets, RepetitionsOfOneTestAreOneTest) {
  const Runs runs({"pass a pass a pass a", "pass a"});
  EXPECT_EQ(runs.numbers[0], runs.numbers[1]);
}

}  // namespace
}  // namespace flakestat::run
