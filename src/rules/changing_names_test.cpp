#include "rules/changing_names.hpp"

#include <gtest/gtest.h>

#include "rules/gate_fixture.hpp"

namespace flakestat::rules {
namespace {

using fixture::many;
using fixture::Runs;

std::optional<ChangingNames> changing(const Runs& runs) {
  return find_changing_names(runs.book(), "main", runs.scores().tests);
}

Runs with_seeds(int count) {
  Runs runs;
  for (int i = 0; i < count; ++i) {
    runs.suite = "rspec --seed " + std::to_string(1234 + 17 * i);
    runs.run(many(3, 'P'));
  }
  return runs;
}

TEST(ChangingNames, ASeedInTheSuitesName) {
  const auto found = changing(with_seeds(2));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seen_once, 6U);
  EXPECT_EQ(found->before, "rspec --seed 1234");
  EXPECT_EQ(found->after, "rspec --seed 1251");
  EXPECT_EQ(changing(with_seeds(10)).value().seen_once, 30U);
}

TEST(ChangingNames, AFirstRunHasNothingToCompare) { EXPECT_FALSE(changing(with_seeds(1))); }

TEST(ChangingNames, FewOnesThatKeepChanging) {
  Runs runs;
  for (int i = 0; i < 4; ++i) {
    auto tests = many(20, 'P');
    tests.emplace_back("test_at_" + std::to_string(100 + i), 'P');
    runs.run(tests);
    EXPECT_EQ(changing(runs).has_value(), i == 3) << i;
  }
}

TEST(ChangingNames, AGrowingSuiteIsNone) {
  Runs runs;
  for (int i = 1; i < 8; ++i) {
    runs.run(many(3 * i, 'P'));
    EXPECT_FALSE(changing(runs)) << i;
  }
}

TEST(ChangingNames, ATestRenamedOnceIsNone) {
  Runs runs;
  for (int i = 0; i < 8; ++i) {
    auto tests = many(5, 'P');
    tests.emplace_back(i < 4 ? "api_v1" : "api_v2", 'P');
    runs.run(tests);
    EXPECT_FALSE(changing(runs)) << i;
  }
}

TEST(ChangingNames, HuntsAndOtherPlacesAreNotCompared) {
  Runs runs;
  runs.suite = "seed 1";
  runs.run(many(3, 'P'));
  runs.suite = "seed 2";
  runs.at.os = "windows";
  runs.run(many(3, 'P'));
  EXPECT_FALSE(changing(runs));
  runs.at.source = Source::hunt;
  runs.suite = "seed 3";
  runs.run(many(3, 'P'));
  EXPECT_FALSE(changing(runs));
}

}  // namespace
}  // namespace flakestat::rules
