#include "report/init.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/samples.hpp"
#include "testing/golden.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(InitText, EveryState) { EXPECT_GOLDEN("init/init.txt", init_text(samples::init(), {})); }

TEST(InitText, ADryRunShowsTheConfig) { EXPECT_GOLDEN("init/dry.txt", init_text(samples::init_dry(), {})); }

TEST(InitJson, EveryState) { EXPECT_GOLDEN("init/init.json", init_json(samples::init())); }

TEST(InitConfig, HoldsOnlyWhatIsSaid) {
  EXPECT_GOLDEN("init/configs.txt", init_config({{"env", "A= > ", "t", ""}, "r/{run}.xml", "state", "trunk"}) +
                                        init_config({{"t"}, "", "", ""}));
}

TEST(InitText, ForeignNamesCannotSteerATerminal) {
  auto names = samples::hostile_names();
  names.push_back("::error::" + std::string(10'000, 'x') + "\n::stop-commands::y");
  names.emplace_back("<script>alert(1)</script>\r\x1b]0;title\x07");
  for (const auto& name : names) {
    auto outcome = samples::init_hostile(name);
    outcome.frameworks.front().state = ConfigState::shown;
    outcome.frameworks.front().content = init_config({{name}, name, name, name});
    for (const auto& shown : {init_text(samples::init_hostile(name), {}), init_text(outcome, {})}) {
      EXPECT_THAT(shown, Not(HasSubstr("\x1b"))) << name;
      EXPECT_THAT(shown, Not(HasSubstr("\r"))) << name;
      EXPECT_THAT(shown, Not(HasSubstr("\xE2\x80\xAE"))) << name;
      EXPECT_THAT(shown, Not(HasSubstr("\n::"))) << name;
    }
  }
}

}  // namespace
}  // namespace flakestat::report
