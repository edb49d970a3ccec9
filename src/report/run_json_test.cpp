#include "report/run_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "report/run_samples.hpp"
#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

rapidjson::Document parsed(const samples::Events& events) {
  rapidjson::Document document;
  document.Parse(run_json(samples::record_of(events), {}).c_str());
  EXPECT_FALSE(document.HasParseError());
  return document;
}

TEST(RunJson, EveryFateAndCount) {
  EXPECT_GOLDEN("run/report.json", run_json(samples::record_of(samples::run_events()), {}));
}

TEST(RunJson, ATestThatWasNeverBegunIsThere) {
  const auto document = parsed(samples::run_events());
  const auto& last = document["tests"][11];
  EXPECT_STREQ(last["fate"].GetString(), "not_run");
  EXPECT_TRUE(last["status"].IsNull());
  EXPECT_EQ(last["attempts"].Size(), 0U);
}

TEST(RunJson, ARunWithoutAnEndIsNotGreen) {
  auto events = samples::green_events();
  events.pop_back();
  const auto document = parsed(events);
  EXPECT_EQ(document["meta"]["exit_code"].GetInt(), 70);
  EXPECT_STREQ(document["meta"]["end"].GetString(), "runner_failed");
}

TEST(RunJson, TextsComeBackAsTheTestsWroteThem) {
  const std::string odd = "a\x1b[31m\"\\\n\t\u202e";
  const auto document = parsed(samples::hostile_events_of_run(odd));
  EXPECT_EQ(document["tests"][2]["id"].GetString(), odd);
  EXPECT_EQ(document["tests"][2]["attempts"][0]["message"].GetString(), odd);
  EXPECT_EQ(document["tests"][1]["excuse"].GetString(), odd);
  EXPECT_THAT(run_json(samples::record_of(samples::hostile_events_of_run(odd)), {}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace flakestat::report
