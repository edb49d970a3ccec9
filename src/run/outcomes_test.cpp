#include "run/outcomes.hpp"

#include "run/hunt_test_world.hpp"

namespace flakestat::run {
namespace {

bool disagree(const std::vector<std::string>& runs) {
  Outcomes outcomes;
  for (const auto& run : runs) outcomes.add(test_cases(run));
  return outcomes.disagreed();
}

TEST(Outcomes, PassAndFailureOfOneTestDisagree) {
  EXPECT_TRUE(disagree({"pass a pass b", "pass a fail b"}));
  EXPECT_TRUE(disagree({"error a", "skip a", "pass a"}));
}

TEST(Outcomes, OtherPairsDoNot) {
  EXPECT_FALSE(disagree({"pass a fail b", "pass a fail b"}));
  EXPECT_FALSE(disagree({"fail a", "error a"}));
  EXPECT_FALSE(disagree({"pass a", "skip a", "pass a"}));
}

TEST(Outcomes, AFlakyPassDisagreesWithItself) { EXPECT_TRUE(disagree({"flaky a"})); }

TEST(Outcomes, FailedAttemptsBeforeAPassDisagree) { EXPECT_TRUE(disagree({"fail a fail a pass a"})); }

TEST(Outcomes, EmptyAttemptsBeforeAFailureAreOnlyAFailure) {
  EXPECT_FALSE(disagree({"pass a pass a fail a"}));
  EXPECT_TRUE(disagree({"pass a pass a fail a", "pass a"}));
}

}  // namespace
}  // namespace flakestat::run
