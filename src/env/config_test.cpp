#include "env/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "env/config_keys.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::env {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

LoadedConfig parse(std::string_view json) {
  auto loaded = parse_config(json, "c.json");
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  return loaded ? *loaded : LoadedConfig{};
}

// The message of the error, which must be of kind config and name the file.
std::string refusal(std::string_view json) {
  const auto loaded = parse_config(json, "c.json");
  if (loaded) return "accepted";
  EXPECT_EQ(loaded.error().kind, ErrorKind::config);
  EXPECT_THAT(loaded.error().message, HasSubstr("c.json: "));
  return loaded.error().message;
}

TEST(Config, ReadsEverySection) {
  const auto c = parse(R"({"version":1,"command":["pytest","-q"],"junit":"r/{run}.xml","runs":25,"parallel":2,
    "select":"mvn -q test -Dtest={tests}","id":"{class}#{name}","join":"+",
    "dir":".state","timeout":"1h30m","default_branch":"trunk",
    "scoring":{"model":"flip-rate","min_runs":7,"break_rate":0.01,"enter":0.9,"leave":0.4,"suspect":0.45,
               "alpha":0.4,"same_commit_weight":2,"branch_weight":0.25,"threshold":0.2,"suspect_threshold":0.1,
               "same_code_window":"12h","prior_flaky":0.1,"start_streak":0},
    "context":{"keys":["db"],"ignore":["os"]},"quarantine":{"format":"pytest","file":"q.txt"},
    "run":{"workers":"auto","dist":"loadfile","worker_timeout":"5m","reruns":2,"rerun_delay":0.5,
           "only_rerun":["Timeout"],"rerun_except":["Assert","Syntax"],"rerun_breaker":0,"max_suite_reruns":50,
           "fail_on_flaky":true,"output":"github","junitxml":"run.xml","report_json":"run.json"}})")
                     .config;
  EXPECT_THAT(*c.command, ElementsAre("pytest", "-q"));
  EXPECT_EQ(c.junit, "r/{run}.xml");
  EXPECT_EQ(c.runs, 25);
  EXPECT_EQ(c.parallel, 2);
  EXPECT_EQ(c.select, "mvn -q test -Dtest={tests}");
  EXPECT_EQ(c.id, "{class}#{name}");
  EXPECT_EQ(c.join, "+");
  EXPECT_EQ(c.dir, ".state");
  EXPECT_EQ(c.timeout, milliseconds(5'400'000));
  EXPECT_EQ(c.default_branch, "trunk");
  EXPECT_EQ(c.scoring.model, "flip-rate");
  EXPECT_EQ(c.scoring.min_runs, 7);
  EXPECT_EQ(c.scoring.break_rate, 0.01);
  EXPECT_EQ(c.scoring.enter, 0.9);
  EXPECT_EQ(c.scoring.alpha, 0.4);
  EXPECT_EQ(c.scoring.threshold, 0.2);
  EXPECT_EQ(c.scoring.same_code_window, milliseconds(12 * 3'600'000));
  EXPECT_EQ(c.scoring.start_streak, 0);
  EXPECT_THAT(c.context_keys, ElementsAre("db"));
  EXPECT_THAT(c.context_ignore, ElementsAre("os"));
  EXPECT_EQ(c.quarantine_format, "pytest");
  EXPECT_EQ(c.quarantine_file, "q.txt");
  EXPECT_EQ(c.run.workers, "auto");
  EXPECT_EQ(c.run.dist, "loadfile");
  EXPECT_EQ(c.run.worker_timeout, milliseconds(300'000));
  EXPECT_EQ(c.run.reruns, 2);
  EXPECT_EQ(c.run.rerun_delay, milliseconds(500));
  EXPECT_THAT(c.run.only_rerun, ElementsAre("Timeout"));
  EXPECT_THAT(c.run.rerun_except, ElementsAre("Assert", "Syntax"));
  EXPECT_EQ(c.run.rerun_breaker, 0);
  EXPECT_EQ(c.run.max_suite_reruns, 50);
  EXPECT_EQ(c.run.fail_on_flaky, true);
  EXPECT_EQ(c.run.output, "github");
  EXPECT_EQ(c.run.junitxml, "run.xml");
  EXPECT_EQ(c.run.report_json, "run.json");
}

TEST(Config, EmptyObjectSaysNothing) {
  const auto loaded = parse("{}");
  EXPECT_FALSE(loaded.config.command || loaded.config.runs || loaded.config.scoring.model);
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(Config, CommandAsStringIsSplitAndNeverExpanded) {
  EXPECT_THAT(*parse(R"({"command":"sh -c 'echo $X; ls *' \"a b\""})").config.command,
              ElementsAre("sh", "-c", "echo $X; ls *", "a b"));
}

TEST(Config, PredecessorsFileLoads) {
  const auto loaded = parse(R"({"version":1,"command":"go test ./...","junit":"junit.xml","runs":20,"timeout":"10m0s",
    "scoring":{"min_runs":5,"ewma_alpha":0.3,"same_commit_weight":3,"suspect_threshold":0.05,"flaky_threshold":0.1,
               "default_branch":"main","branch_weight":0.5},
    "thresholds":{"flaky":0.15,"suspect":0.06,"other":{}},"quarantine":{"format":"go"}})");
  EXPECT_EQ(loaded.config.scoring.alpha, 0.3);
  EXPECT_EQ(loaded.config.scoring.threshold, 0.15);
  EXPECT_EQ(loaded.config.scoring.suspect_threshold, 0.06);
  EXPECT_EQ(loaded.config.default_branch, "main");
  EXPECT_EQ(loaded.config.timeout, milliseconds(600'000));
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("thresholds.other")));
}

TEST(Config, BreakRateMayBeAuto) {
  EXPECT_TRUE(parse(R"({"scoring":{"break_rate":"auto"}})").config.scoring.break_rate_auto);
  EXPECT_THAT(refusal(R"({"scoring":{"break_rate":"fast"}})"), HasSubstr("\"auto\" or a number"));
  EXPECT_THAT(refusal(R"({"scoring":{"break_rate":0}})"), HasSubstr("above 0"));
}

TEST(Config, UnknownKeyNamesTheNearest) {
  EXPECT_THAT(refusal(R"({"comand":"x"})"), HasSubstr(R"(unknown key "comand", did you mean "command"?)"));
  EXPECT_THAT(refusal(R"({"scoring":{"min_run":1}})"), HasSubstr(R"("scoring.min_run", did you mean "min_runs"?)"));
  EXPECT_THAT(refusal(R"({"context":{"key":[]}})"), HasSubstr(R"(did you mean "keys"?)"));
  EXPECT_THAT(refusal(R"({"quarantine":{"fomat":""}})"), HasSubstr(R"(did you mean "format"?)"));
  EXPECT_THAT(refusal(R"({"xyzzyplugh":1})"), HasSubstr("known are command, junit"));
}

TEST(Config, WrongTypeNamesKeyAndExpectation) {
  EXPECT_THAT(refusal(R"({"runs":"20"})"),
              AllOf(HasSubstr("\"runs\""), HasSubstr("whole number"), HasSubstr("found a string")));
  EXPECT_THAT(refusal(R"({"runs":2.5})"), HasSubstr("whole number of at least 1"));
  EXPECT_THAT(refusal(R"({"runs":0})"), HasSubstr("at least 1"));
  EXPECT_THAT(refusal(R"({"runs":1e300})"), HasSubstr("whole number"));
  EXPECT_THAT(refusal(R"({"dir":7})"), AllOf(HasSubstr("\"dir\""), HasSubstr("a string"), HasSubstr("found a number")));
  EXPECT_THAT(refusal(R"({"dir":""})"), HasSubstr("not empty"));
  EXPECT_THAT(refusal(R"({"command":{"a":1}})"), HasSubstr("list of strings"));
  EXPECT_THAT(refusal(R"({"command":["a",1]})"), HasSubstr("found a number"));
  EXPECT_THAT(refusal(R"({"command":[]})"), HasSubstr("a program"));
  EXPECT_THAT(refusal(R"({"command":"'open"})"), HasSubstr("not closed"));
  EXPECT_THAT(refusal(R"({"scoring":[]})"), AllOf(HasSubstr("\"scoring\""), HasSubstr("an object")));
  EXPECT_THAT(refusal(R"({"scoring":{"alpha":2}})"), AllOf(HasSubstr("scoring.alpha"), HasSubstr("at most 1")));
  EXPECT_THAT(refusal(R"({"scoring":{"model":"magic"}})"), HasSubstr("bayes flip-rate"));
  EXPECT_THAT(refusal(R"({"timeout":"soon"})"), AllOf(HasSubstr("\"timeout\""), HasSubstr("90s")));
  EXPECT_THAT(refusal(R"({"timeout":-5})"), HasSubstr("duration"));
  EXPECT_THAT(refusal(R"({"output_limit":"much"})"), AllOf(HasSubstr("\"output_limit\""), HasSubstr("64K")));
  EXPECT_THAT(refusal(R"({"output_limit":-5})"), HasSubstr("size"));
  EXPECT_THAT(refusal(R"({"context":{"keys":"db"}})"), HasSubstr("a list of strings"));
  EXPECT_THAT(refusal(R"({"runs":null})"), HasSubstr("found null"));
  EXPECT_THAT(refusal(R"([])"), HasSubstr("expected an object, found a list"));
  EXPECT_THAT(refusal(R"({"command":["a\u0000b"]})"), HasSubstr("NUL"));
  EXPECT_THAT(refusal(R"({"command":"a\u0000b"})"), HasSubstr("NUL"));
}

TEST(Config, WorkersAreANumberOrAuto) {
  EXPECT_EQ(parse(R"({"run":{"workers":4}})").config.run.workers, "4");
  EXPECT_EQ(parse(R"({"run":{"workers":"0"}})").config.run.workers, "0");
  EXPECT_EQ(parse(R"({"run":{"workers":"logical"}})").config.run.workers, "logical");
  for (const auto* bad : {"-1", "1025", "1.5", R"("many")", R"("")", R"("4 ")", "true"}) {
    EXPECT_THAT(refusal(R"({"run":{"workers":)" + std::string(bad) + "}}"),
                AllOf(HasSubstr("\"run.workers\""), HasSubstr("\"auto\" or a whole number from 0 to 1024")))
        << bad;
  }
}

TEST(Config, WhatARunTakesIsChecked) {
  EXPECT_EQ(parse(R"({"run":{"fail_on_flaky":false}})").config.run.fail_on_flaky, false);
  for (const auto* bad : {"1", R"("true")", "null"}) {
    EXPECT_THAT(refusal(R"({"run":{"fail_on_flaky":)" + std::string(bad) + "}}"), HasSubstr("expected true or false"));
  }
  EXPECT_THAT(refusal(R"({"run":{"reruns":1001}})"), HasSubstr("a whole number from 0 to 1000"));
  EXPECT_THAT(refusal(R"({"run":{"reruns":-1}})"), HasSubstr("from 0 to 1000"));
  EXPECT_THAT(refusal(R"({"run":{"only_rerun":"Timeout"}})"), HasSubstr("a list of strings"));
  EXPECT_THAT(refusal(R"({"run":{"dist":"loads"}})"), HasSubstr("one of: load loadfile"));
  EXPECT_THAT(refusal(R"({"run":{"rerun":2}})"), HasSubstr(R"("run.rerun", did you mean "reruns"?)"));
}

TEST(Config, TimeoutMayBeSecondsAsANumber) {
  EXPECT_EQ(parse(R"({"timeout":90})").config.timeout, milliseconds(90'000));
  EXPECT_EQ(parse(R"({"timeout":0.25})").config.timeout, milliseconds(250));
  EXPECT_EQ(parse(R"({"output_limit":4096})").config.output_limit, "4096");
  EXPECT_EQ(parse(R"({"output_limit":"10MB"})").config.output_limit, "10MB");
}

TEST(Config, VersionsAreChecked) {
  EXPECT_THAT(refusal(R"({"version":2})"), HasSubstr("version 2 is not supported"));
  EXPECT_THAT(refusal(R"({"version":"1"})"), HasSubstr("\"version\""));
  parse(R"({"version":0})");
}

TEST(Config, SectionsOfLaterVersionsAreSaidToBeUnused) {
  const auto loaded = parse(R"({"sanitise":{"network":true}})");
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("\"sanitise\"")));
  EXPECT_THAT(refusal(R"({"run":3})"), HasSubstr("an object"));
}

TEST(Config, BrokenDeepAndHugeInputIsRefused) {
  EXPECT_THAT(refusal("{not json"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(R"({"run":)" + std::string(2000, '[') + std::string(2000, ']') + "}"),
              HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(std::string((1 << 20) + 1, ' ')), HasSubstr("1 MiB"));
  EXPECT_THAT(refusal("{\"run\x1b[31m\":1}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{\"run\\u001b[31m\":1}"), ::testing::Not(HasSubstr("\x1b")));
}

TEST(Config, ByteOrderMarkIsSkipped) { EXPECT_EQ(parse("\xef\xbb\xbf{\"runs\":3}").config.runs, 3); }

TEST(Config, IsFoundUpward) {
  const testing::TempDir dir;
  const auto path = dir.write(".flakestat.json", R"({"runs":3})");
  std::filesystem::create_directories(dir.path() / "a/b");
  EXPECT_EQ(find_config((dir.path() / "a/b").string()), path);
  const auto loaded = load_config((dir.path() / "a/b").string());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.runs, 3);
  EXPECT_EQ(loaded->path, path);
  EXPECT_EQ(loaded->directory, dir.path().string());
}

TEST(Config, NoFileIsAnEmptyConfig) {
  const testing::TempDir dir;
  const auto loaded = load_config(dir.path().string());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->path, "");
}

TEST(Config, UnreadableFileIsAConfigError) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.path() / ".flakestat.json");
  EXPECT_EQ(load_config(dir.path().string()).error().kind, ErrorKind::config);
}

// --- variables ------------------------------------------------------------------------------------------------------

class Environment : public ::testing::Test {
 protected:
  Result<std::vector<std::string>> overlay() {
    std::vector<std::string> names;
    for (const auto& [name, value] : variables_) names.push_back(name);
    return overlay_environment(
        names,
        [this](std::string_view name) -> std::optional<std::string> {
          const auto found = variables_.find(name);
          return found == variables_.end() ? std::nullopt : std::optional(found->second);
        },
        config_);
  }

  std::map<std::string, std::string, std::less<>> variables_;
  Config config_;
};

TEST_F(Environment, BeatsTheConfig) {
  config_ = parse(R"({"runs":3,"dir":"a","scoring":{"break_rate":0.01}})").config;
  variables_ = {{"FLAKESTAT_RUNS", " 7 "},        {"FLAKESTAT_MODEL", "bayes"}, {"FLAKESTAT_COMMAND", "pytest -q"},
                {"FLAKESTAT_BREAK_RATE", "auto"}, {"FLAKESTAT_TIMEOUT", "90s"}, {"FLAKESTAT_DIR", ""}};
  EXPECT_THAT(*overlay(), IsEmpty());
  EXPECT_EQ(config_.runs, 7);
  EXPECT_EQ(config_.dir, "a") << "an empty variable says nothing";
  EXPECT_EQ(config_.scoring.model, "bayes");
  EXPECT_THAT(*config_.command, ElementsAre("pytest", "-q"));
  EXPECT_EQ(config_.scoring.break_rate, std::nullopt);
  EXPECT_EQ(config_.timeout, milliseconds(90'000));
}

TEST_F(Environment, SaysWhatARunTakes) {
  config_ = parse(R"({"run":{"reruns":1,"fail_on_flaky":true,"workers":2}})").config;
  variables_ = {{"FLAKESTAT_RERUNS", "3"}, {"FLAKESTAT_FAIL_ON_FLAKY", "false"}, {"FLAKESTAT_WORKERS", "auto"}};
  ASSERT_TRUE(overlay());
  EXPECT_EQ(config_.run.reruns, 3);
  EXPECT_EQ(config_.run.fail_on_flaky, false);
  EXPECT_EQ(config_.run.workers, "auto");
  variables_ = {{"FLAKESTAT_FAIL_ON_FLAKY", "1"}};
  ASSERT_TRUE(overlay());
  EXPECT_EQ(config_.run.fail_on_flaky, true);
  variables_ = {{"FLAKESTAT_FAIL_ON_FLAKY", "maybe"}};
  EXPECT_THAT(overlay().error().message, AllOf(HasSubstr("FLAKESTAT_FAIL_ON_FLAKY"), HasSubstr("true or false")));
}

TEST_F(Environment, UnknownNamesWarnWithTheNearest) {
  variables_ = {{"FLAKESTAT_RUSN", "1"}, {"FLAKESTAT_ZZZZZZZZZZZZZZZZZZZZ", "1"}};
  EXPECT_THAT(*overlay(), ElementsAre(HasSubstr("did you mean FLAKESTAT_RUNS?"), HasSubstr("is not known")));
}

TEST_F(Environment, OwnNamesDoNotWarn) {
  for (const auto* name : {"FLAKESTAT_RUN", "FLAKESTAT_CORPUS", "FLAKESTAT_SOAK", "FLAKESTAT_SESSION",
                           "FLAKESTAT_FLAKE_RETENTION_DAYS", "FLAKESTAT_QUARANTINE_LIST"}) {
    variables_[name] = "1";
  }
  EXPECT_THAT(*overlay(), IsEmpty());
  EXPECT_EQ(config_.runs, std::nullopt);
}

TEST_F(Environment, BadValueNamesTheVariable) {
  variables_ = {{"FLAKESTAT_RUNS", "many"}};
  EXPECT_THAT(overlay().error().message,
              AllOf(HasSubstr("FLAKESTAT_RUNS"), HasSubstr("whole number"), HasSubstr("\"many\"")));
  EXPECT_EQ(overlay().error().kind, ErrorKind::config);
  for (const auto* bad : {"1e400", "nan", "inf", "0x10", "1 2", "+1"}) {
    variables_ = {{"FLAKESTAT_ALPHA", bad}};
    EXPECT_FALSE(overlay().ok()) << bad;
  }
}

TEST_F(Environment, WhoSaidAValueIsRemembered) {
  config_ = parse(R"({"runs":3,"dir":"a","scoring":{"ewma_alpha":0.3,"default_branch":"trunk"},
                      "thresholds":{"flaky":0.2},"context":{"keys":["db"]}})")
                .config;
  variables_ = {{"FLAKESTAT_RUNS", "7"}, {"FLAKESTAT_MIN_RUNS", "8"}, {"FLAKESTAT_DIR", " "}};
  ASSERT_TRUE(overlay());
  const std::map<std::string, SaidBy> expected = {
      {"runs", SaidBy::variable},          {"scoring.min_runs", SaidBy::variable}, {"dir", SaidBy::file},
      {"scoring.alpha", SaidBy::file},     {"default_branch", SaidBy::file},       {"context.keys", SaidBy::file},
      {"scoring.threshold", SaidBy::file},
  };
  EXPECT_EQ(config_.said, expected);
}

std::string first_word(std::string_view words) { return std::string(words.substr(0, words.find(' '))); }

TEST(Settings, WhatIsSetIsWhatIsGot) {
  for (const auto& setting : settings()) {
    using Type = Setting::Type;
    Config config;
    const bool list = setting.type == Type::strings;
    EXPECT_EQ(setting.get(config), list ? SettingValue(std::vector<std::string>{}) : SettingValue{}) << setting.key;
    SettingValue expected;
    std::string text;
    switch (setting.type) {
      case Type::text: expected = text = setting.words.empty() ? "some text" : first_word(setting.words); break;
      case Type::count: expected = std::int64_t{7}, text = "7"; break;
      case Type::number:
      case Type::break_rate: expected = 0.25, text = "0.25"; break;
      case Type::duration: expected = "26h3m4s5ms", text = "1d2h3m4s5ms"; break;
      case Type::size: expected = text = "64K"; break;
      case Type::command: expected = std::vector<std::string>{"a", "b c"}, text = "a 'b c'"; break;
      case Type::workers: expected = text = "auto"; break;
      case Type::yes_no: expected = true, text = "true"; break;
      case Type::strings:
        setting.set_text(config, "one");
        setting.set_text(config, "two");
        EXPECT_EQ(setting.get(config), SettingValue(std::vector<std::string>{"one", "two"}));
        continue;
    }
    ASSERT_TRUE(set_from_text(setting, text, config)) << setting.key;
    EXPECT_EQ(setting.get(config), expected) << setting.key;
  }
}

TEST(Settings, SecondNamesStandForASettingOfTheTable) {
  std::set<std::string> firsts;
  for (const auto& setting : settings()) {
    if (setting.same_as.empty()) firsts.insert(setting_path(setting));
  }
  for (const auto& setting : settings()) EXPECT_TRUE(firsts.contains(setting_path(setting))) << setting.key;
}

TEST(Settings, FlagsAreNamedAfterKeys) {
  std::set<std::string> flags;
  for (const auto& setting : settings()) flags.insert(setting_flag(setting));
  EXPECT_TRUE(flags.contains("--min-runs"));
  EXPECT_TRUE(flags.contains("--default-branch"));
  EXPECT_TRUE(flags.contains("--context-key"));
  EXPECT_TRUE(flags.contains("--context-ignore"));
  EXPECT_TRUE(flags.contains("--only-rerun"));
  EXPECT_TRUE(flags.contains("--rerun-except"));
  EXPECT_FALSE(flags.contains("--format")) << "is the form of a document, not of the quarantine list";
}

TEST(Settings, NamesAreUniqueAndComplete) {
  std::set<std::string> keys;
  std::set<std::string> variables;
  for (const auto& setting : settings()) {
    EXPECT_TRUE(keys.insert(std::string(setting.section) + '.' + std::string(setting.key)).second) << setting.key;
    if (!setting.variable.empty()) {
      EXPECT_TRUE(variables.insert(std::string(setting.variable)).second) << setting.variable;
    }
    EXPECT_FALSE(expectation(setting).empty());
  }
}

TEST(VariableNames, AreThoseWithThePrefix) {
  ASSERT_EQ(::setenv("FLAKESTAT_TEST_NAME", "secret", 1), 0);
  EXPECT_THAT(variable_names("FLAKESTAT_TEST_"), ElementsAre("FLAKESTAT_TEST_NAME"));
  ::unsetenv("FLAKESTAT_TEST_NAME");
}

}  // namespace
}  // namespace flakestat::env
