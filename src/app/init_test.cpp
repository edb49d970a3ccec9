// What `init` writes is what every other command reads: each framework's config, through env::load_config.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.hpp"
#include "env/config.hpp"
#include "env/frameworks.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::slurp;
using testing::TempDir;

using Files = std::map<std::string, std::string>;

// A project for each framework; their names are those of --framework.
const std::map<std::string, Files>& projects() {
  static const std::map<std::string, Files> all = {
      {"pytest", {{"pytest.ini", ""}}},
      {"unittest", {{"test_a.py", "from unittest import TestCase\n"}}},
      {"go", {{"go.mod", "module m"}, {"a_test.go", ""}}},
      {"nextest", {{"Cargo.toml", ""}}},
      {"cargo", {{"Cargo.toml", ""}}},
      {"maven", {{"pom.xml", "<modules>"}}},
      {"gradle", {{"build.gradle", ""}}},
      {"vitest", {{"package.json", R"({"devDependencies":{"vitest":"4"}})"}}},
      {"jest", {{"package.json", R"({"jest":{}})"}}},
      {"mocha", {{"package.json", R"({"mocha":{}})"}}},
      {"node-test", {{"package.json", R"({"scripts":{"test":"node --test"}})"}}},
      {"playwright", {{"package.json", R"({"devDependencies":{"@playwright/test":"1"}})"}}},
      {"ctest", {{"CMakeLists.txt", "enable_testing()"}}},
      {"dotnet", {{"a.csproj", "Microsoft.NET.Test.Sdk"}}},
      {"rspec", {{"spec/a_spec.rb", ""}}},
      {"minitest", {{"test/a_test.rb", "require 'minitest/autorun'"}}},
      {"phpunit", {{"phpunit.xml", ""}}},
      {"bats", {{"test/it's.bats", ""}}},
      {"bazel", {{"MODULE.bazel", ""}}},
  };
  return all;
}

struct Outcome {
  Result<Ending> ending;
  std::string out;
  std::string talk;
};

// A project of its own on a machine whose PATH holds `programs`.
class Project {
 public:
  explicit Project(const Files& files, const std::vector<std::string>& programs = {}) {
    for (const auto& [name, content] : files) project_.write(name, content);
    for (const auto& program : programs) {
      std::filesystem::permissions(bin_.write(program, "#!/bin/sh\nexit 0\n"), std::filesystem::perms::owner_all);
    }
  }

  Outcome init(const InitRequest& request) const {
    std::string out;
    std::string talk;
    World world;
    world.directory = project_.path().string();
    world.env = [this](std::string_view name) {
      return name == "PATH" ? std::optional(bin_.path().string()) : std::nullopt;
    };
    world.out = [&](std::string_view bytes) {
      out += bytes;
      return Result<void>{};
    };
    world.warn = world.note = [&](std::string_view line) { talk.append(line).append("\n"); };
    auto ending = app::init(world, request);
    return {std::move(ending), std::move(out), std::move(talk)};
  }

  [[nodiscard]] env::LoadedConfig config(std::string_view folder = ".") const {
    auto loaded = env::load_config(project_.file(folder));
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return loaded ? *loaded : env::LoadedConfig{};
  }

  [[nodiscard]] bool has(std::string_view name) const { return std::filesystem::exists(project_.file(name)); }
  [[nodiscard]] std::string text(std::string_view name) const { return slurp(project_.file(name)); }
  void write(std::string_view name, std::string_view content) const { project_.write(name, content); }
  [[nodiscard]] std::string root() const { return project_.path().string(); }

 private:
  TempDir project_;
  TempDir bin_;
};

TEST(Init, EveryFrameworkHasAProjectHere) { EXPECT_EQ(projects().size(), init_frameworks().size()); }

TEST(Init, TheConfigOfEveryFrameworkIsReadBackAsWritten) {
  for (const auto& [name, files] : projects()) {
    const Project project(files,
                          name == "nextest" ? std::vector<std::string>{"cargo-nextest"} : std::vector<std::string>{});
    const auto done = project.init({});
    ASSERT_TRUE(done.ending) << name << ": " << done.ending.error().message;
    EXPECT_EQ(*done.ending, Ending::done) << name;
    const auto loaded = project.config();
    EXPECT_EQ(loaded.path, project.root() + "/.flakestat.json") << name;
    EXPECT_TRUE(loaded.warnings.empty()) << name;
    const auto tree = env::ProjectTree::read(project.root());
    const env::Machine machine{
        [&](std::string_view program) { return name == "nextest" && program == "cargo-nextest"; },
        [](const auto&, const auto&) { return false; }};
    const auto found = env::find_frameworks(tree, machine).frameworks;
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_EQ(env::to_string(found.front().framework), name);
    EXPECT_EQ(loaded.config.command, found.front().command) << name;
    EXPECT_EQ(loaded.config.junit.value_or(""), found.front().junit) << name;
    for (const auto& missing : found.front().missing) EXPECT_THAT(done.out, HasSubstr(missing.install)) << name;
  }
}

TEST(Init, NeverOverwritesAConfigWithoutForce) {
  const Project project(Files{{"pytest.ini", ""}, {".flakestat.json", "mine"}});
  const auto kept = project.init({});
  ASSERT_FALSE(kept.ending);
  EXPECT_EQ(kept.ending.error().kind, ErrorKind::usage);
  EXPECT_THAT(kept.ending.error().message, HasSubstr("--force"));
  EXPECT_EQ(project.text(".flakestat.json"), "mine");
  EXPECT_FALSE(project.has(".flakestat"));
  InitRequest force;
  force.force = true;
  EXPECT_TRUE(project.init(force).ending);
  EXPECT_TRUE(project.config().config.command);
}

TEST(Init, ALinkThatPointsNowhereIsAConfigToo) {
  const Project project(Files{{"pytest.ini", ""}});
  std::filesystem::create_symlink("elsewhere", project.root() + "/.flakestat.json");
  EXPECT_FALSE(project.init({}).ending);
  EXPECT_FALSE(project.has("elsewhere"));
}

TEST(Init, ADryRunWritesNothing) {
  const Project project(Files{{"Cargo.toml", ""}}, {"cargo-nextest"});
  InitRequest dry;
  dry.dry_run = true;
  const auto done = project.init(dry);
  EXPECT_TRUE(done.ending);
  EXPECT_THAT(done.out, HasSubstr("\"--config-file\""));
  EXPECT_FALSE(project.has(".flakestat.json"));
  EXPECT_FALSE(project.has(".flakestat"));
}

TEST(Init, OfSeveralFrameworksTheFirstOrTheNamedOneIsWritten) {
  const Files files = {{"pytest.ini", ""}, {"package.json", R"({"jest":{}})"}};
  const Project first(files);
  EXPECT_THAT(first.init({}).out, HasSubstr("flakestat init --framework jest"));
  EXPECT_EQ(first.config().config.command->front(), "python");
  const Project named(files);
  InitRequest jest;
  jest.framework = "jest";
  EXPECT_TRUE(named.init(jest).ending);
  EXPECT_EQ(named.config().config.command->front(), "env");
  jest.framework = "go";
  const auto none = named.init(jest);
  ASSERT_FALSE(none.ending);
  EXPECT_EQ(none.ending.error().kind, ErrorKind::missing);
  EXPECT_THAT(none.ending.error().message, HasSubstr("found: pytest, jest"));
}

TEST(Init, SubFoldersAreNamedAndWrittenOnlyWithAll) {
  const Files files = {{"web/package.json", R"({"jest":{}})"}, {"api/go.mod", "m"}, {"api/a_test.go", ""}};
  const Project project(files);
  const auto named = project.init({});
  ASSERT_TRUE(named.ending);
  EXPECT_EQ(*named.ending, Ending::missing);
  EXPECT_THAT(named.talk, HasSubstr("flakestat init --all"));
  EXPECT_FALSE(project.has("web/.flakestat.json"));
  InitRequest all;
  all.all = true;
  EXPECT_EQ(*project.init(all).ending, Ending::done);
  EXPECT_FALSE(project.has(".flakestat.json"));
  EXPECT_EQ(project.config("web").config.command->front(), "env");
  EXPECT_EQ(project.config("api").config.command->front(), "go");
  EXPECT_TRUE(project.has("api/.flakestat/.gitignore"));
}

TEST(Init, WithoutAFrameworkItSaysWhatItKnows) {
  const auto none = Project(Files{{"README", ""}}).init({});
  ASSERT_FALSE(none.ending);
  EXPECT_EQ(none.ending.error().kind, ErrorKind::missing);
  EXPECT_THAT(none.ending.error().message, HasSubstr("known are pytest, unittest, go"));
}

TEST(Init, TheStateFolderIgnoresAllButWhatATeamShares) {
  const Project project(Files{{"pytest.ini", ""}, {".gitignore", "mine\n"}});
  EXPECT_TRUE(project.init({}).ending);
  EXPECT_EQ(project.text(".flakestat/.gitignore"), "*\n!.gitignore\n!baseline.json\n!quarantine*\n!nextest.toml\n");
  EXPECT_EQ(project.text(".gitignore"), "mine\n");
}

TEST(Init, OnlyWhenAskedTheProjectsGitignoreIsExtendedAndOnlyByWhatItLacks) {
  const Project project(Files{{"pytest.ini", ""}, {".gitignore", "mine\n/.flakestat/*"}});
  InitRequest request;
  request.gitignore = true;
  const std::string whole =
      "mine\n/.flakestat/*\n!/.flakestat/baseline.json\n!/.flakestat/quarantine*\n!/.flakestat/nextest.toml\n";
  EXPECT_TRUE(project.init(request).ending);
  EXPECT_EQ(project.text(".gitignore"), whole);
  EXPECT_FALSE(project.has(".flakestat/.gitignore"));
  request.force = true;
  EXPECT_TRUE(project.init(request).ending);
  EXPECT_EQ(project.text(".gitignore"), whole);
}

TEST(Init, StateFolderAndDefaultBranchGoIntoTheConfig) {
  const Project project(Files{{"pytest.ini", ""}});
  InitRequest request;
  request.common.dir = "state";
  request.common.default_branch = "trunk";
  EXPECT_TRUE(project.init(request).ending);
  EXPECT_EQ(project.config().config.dir, "state");
  EXPECT_EQ(project.config().config.default_branch, "trunk");
  EXPECT_EQ(project.config().config.junit, "state/reports/run-{run}.xml");
  EXPECT_TRUE(project.has("state/.gitignore"));
}

TEST(Init, AConfigAboveThatCountsNoLongerIsNamed) {
  const Project project(Files{{".flakestat.json", "{}"}, {"sub/pytest.ini", ""}});
  InitRequest all;
  all.all = true;
  EXPECT_THAT(project.init(all).out, Not(HasSubstr("counts no longer")));
  const TempDir outer;
  outer.write(".flakestat.json", "{}");
  outer.write("sub/pytest.ini", "");
  World world;
  std::string out;
  world.directory = outer.file("sub");
  world.env = [](std::string_view) { return std::nullopt; };
  world.out = [&](std::string_view bytes) {
    out += bytes;
    return Result<void>{};
  };
  world.warn = world.note = [](std::string_view) {};
  EXPECT_TRUE(app::init(world, {}));
  EXPECT_THAT(out, HasSubstr("counts no longer in this folder"));
}

TEST(Init, WithoutACommandNothingIsWritten) {
  const Project project(Files{{"CMakeLists.txt", "find_package(GTest)"}});
  const auto done = project.init({});
  ASSERT_TRUE(done.ending);
  EXPECT_EQ(*done.ending, Ending::missing);
  EXPECT_THAT(done.out, HasSubstr("gtest_discover_tests"));
  EXPECT_FALSE(project.has(".flakestat.json"));
}

}  // namespace
}  // namespace flakestat::app
