#include "report/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/samples.hpp"

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ConfigDocument sample() {
  ConfigDocument document;
  document.file = "/w/.flakestat.json";
  document.rows = {
      {"command", std::vector<std::string>{"pytest", "-k", "a b"}, ConfigOrigin::file, "/w/.flakestat.json"},
      {"junit", std::monostate{}, ConfigOrigin::default_value, ""},
      {"runs", std::int64_t{25}, ConfigOrigin::variable, "FLAKESTAT_RUNS"},
      {"default_branch", std::string("main"), ConfigOrigin::detected, ""},
      {"scoring.change_rate", 3e-4, ConfigOrigin::flag, "--change-rate"},
      {"context.keys", std::vector<std::string>{}, ConfigOrigin::default_value, ""},
      {"run.fail_on_flaky", true, ConfigOrigin::variable, "FLAKESTAT_FAIL_ON_FLAKY"}};
  return document;
}

TEST(ConfigTable, NamesValueAndWhoSaidIt) {
  EXPECT_EQ(config_table(sample(), {}),
            "setting              value            from\n"
            "command              pytest -k 'a b'  /w/.flakestat.json\n"
            "junit                -                default\n"
            "runs                 25               FLAKESTAT_RUNS\n"
            "default_branch       main             detected\n"
            "scoring.change_rate  3e-04            --change-rate\n"
            "context.keys         -                default\n"
            "run.fail_on_flaky    true             FLAKESTAT_FAIL_ON_FLAKY\n");
}

TEST(ConfigJson, KeepsTypes) {
  const auto json = config_json(sample(), text::JsonStyle::compact);
  EXPECT_THAT(json, HasSubstr(R"("value":["pytest","-k","a b"],"origin":"file","from":"/w/.flakestat.json")"));
  EXPECT_THAT(json, HasSubstr(R"({"key":"junit","value":null,"origin":"default","from":null})"));
  EXPECT_THAT(json, HasSubstr(R"("value":25,"origin":"variable")"));
  EXPECT_THAT(json, HasSubstr(R"("value":[],"origin":"default")"));
  EXPECT_THAT(json, HasSubstr(R"("value":true,"origin":"variable")"));
}

TEST(ConfigJson, WithoutAFileSaysNull) { EXPECT_THAT(config_json({}), HasSubstr(R"("file": null)")); }

TEST(ConfigTable, ForeignTextCannotSteerTheTerminal) {
  auto names = samples::hostile_names();
  names.push_back(std::string(10'000, 'x') + "\x1b[2J");
  names.emplace_back("::error::x <script>");
  ConfigDocument document;
  for (const auto& name : names) document.rows.push_back({"dir", name, ConfigOrigin::file, name});
  document.rows.push_back({"command", names, ConfigOrigin::file, "f"});
  for (const auto& out : {config_table(document, {80, false}), config_json(document)}) {
    EXPECT_THAT(out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(out, Not(HasSubstr("\xE2\x80\xAE")));
  }
}

}  // namespace
}  // namespace flakestat::report
