#include "app/scoring_flags.hpp"

#include <gtest/gtest.h>

#include <variant>

#include "env/config_keys.hpp"

namespace flakestat::app {
namespace {

// Whoever adds a scoring setting must say what its value in force is.
TEST(ScoringInForce, EveryScoringSettingOfTheConfigurationHasOne) {
  stats::ScoringOptions options;
  options.model = stats::Model::flip_rate;
  env::Config config;
  config.scoring = in_words_of_the_config(options);
  for (const auto& setting : env::settings()) {
    if (setting.section != "scoring" || setting_path(setting) == "default_branch") continue;
    EXPECT_FALSE(std::holds_alternative<std::monostate>(setting.get(config))) << setting.key;
  }
}

TEST(ScoringInForce, SaysWhatTheFlagsSet) {
  stats::ScoringOptions options;
  ScoringFlags flags;
  flags.break_rate = "0.01";
  flags.min_runs = 9;
  flags.same_code_window = "90m";
  ASSERT_TRUE(apply(flags, options));
  const auto config = in_words_of_the_config(options);
  EXPECT_EQ(config.break_rate, 0.01);
  EXPECT_FALSE(config.break_rate_auto);
  EXPECT_EQ(config.min_runs, 9);
  EXPECT_EQ(config.same_code_window, std::chrono::minutes(90));
  EXPECT_EQ(config.model, "bayes");
  EXPECT_EQ(config.threshold, std::nullopt) << "under bayes no rows are left out unless somebody asks";
}

}  // namespace
}  // namespace flakestat::app
