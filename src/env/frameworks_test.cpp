// Each framework: what tells of it, and the command that `init` writes. That the commands work with the real frameworks
// is shown by tests/frameworks.
#include "env/frameworks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include "testing/temp_dir.hpp"

namespace flakestat::env {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempDir;

using Files = std::initializer_list<std::pair<const char*, const char*>>;

constexpr const char* kReport = ".flakestat/reports/run-{run}.xml";

// A machine with every program and module but those in `lacking`.
Machine machine_without(const std::set<std::string>& lacking) {
  Machine machine;
  machine.has_program = [lacking](std::string_view program) { return !lacking.contains(std::string(program)); };
  machine.succeeds = [lacking](const std::vector<std::string>& argv, const std::string&) {
    for (const auto& name : lacking) {
      for (const auto& word : argv) {
        if (word.find(name) != std::string::npos) return false;
      }
    }
    return true;
  };
  return machine;
}

FrameworkScan scan(Files files, const std::set<std::string>& lacking = {}) {
  const TempDir dir;
  for (const auto& [name, content] : files) dir.write(name, content);
  return find_frameworks(ProjectTree::read(dir.path().string()), machine_without(lacking));
}

// The only framework of a project.
FoundFramework only(Files files, const std::set<std::string>& lacking = {}) {
  auto found = scan(files, lacking).frameworks;
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? FoundFramework{} : std::move(found.front());
}

std::string command(const FoundFramework& found) {
  std::string line;
  for (const auto& word : found.command) line += (line.empty() ? "" : " ") + (word.empty() ? "''" : word);
  return line;
}

std::vector<std::string> names(const FrameworkScan& found) {
  std::vector<std::string> all;
  for (const auto& one : found.frameworks) {
    all.push_back((one.folder.empty() ? "" : one.folder + ": ") + std::string(to_string(one.framework)));
  }
  return all;
}

std::vector<std::string> installs(const FoundFramework& found) {
  std::vector<std::string> all;
  for (const auto& missing : found.missing) all.push_back(missing.install);
  return all;
}

TEST(Frameworks, EveryOneHasANameThatLeadsBack) {
  EXPECT_EQ(all_frameworks().size(), 19U);
  for (const auto framework : all_frameworks()) EXPECT_EQ(framework_named(to_string(framework)), framework);
  EXPECT_FALSE(framework_named("karma"));
}

TEST(Frameworks, AnEmptyFolderHasNone) { EXPECT_THAT(scan({{"README", ""}}).frameworks, IsEmpty()); }

TEST(FindPytest, BySettingsRequirementsOrTheTestsThemselves) {
  const Files projects[] = {{{"pytest.ini", ""}},
                            {{"pyproject.toml", "[tool.pytest.ini_options]\n"}},
                            {{"tox.ini", "[pytest]\n"}},
                            {{"setup.cfg", "[tool:pytest]\n"}},
                            {{"requirements-dev.txt", "pytest==9\n"}},
                            {{"tests/conftest.py", ""}},
                            {{"tests/test_a.py", "import pytest\n"}},
                            {{"a_test.py", "import os\ndef test_x(): pass\n"}}};
  for (const auto& project : projects) {
    const auto found = only(project);
    EXPECT_EQ(found.framework, Framework::pytest) << project.begin()->first;
    EXPECT_EQ(found.evidence, project.begin()->first);
    EXPECT_EQ(command(found), "python -m pytest -q -o junit_family=xunit1 --junitxml={junit}");
    EXPECT_EQ(found.junit, kReport);
    EXPECT_THAT(found.missing, IsEmpty());
  }
}

TEST(FindPytest, SettingsThatAreCommentedOutAreNone) {
  EXPECT_THAT(scan({{"requirements.txt", "# pytest\nflask\n"}}).frameworks, IsEmpty());
}

TEST(FindPytest, TheProjectsOwnPythonIsUsed) {
  EXPECT_EQ(only({{"pytest.ini", ""}, {".venv/bin/python", ""}}).command.front(), ".venv/bin/python");
  EXPECT_EQ(only({{"pytest.ini", ""}}, {"python"}).command.front(), "python3");
  EXPECT_THAT(command(only({{"pytest.ini", ""}, {"uv.lock", ""}})), HasSubstr("uv run python -m pytest"));
  EXPECT_THAT(command(only({{"pytest.ini", ""}, {"poetry.lock", ""}})), HasSubstr("poetry run python -m pytest"));
  EXPECT_THAT(command(only({{"pytest.ini", ""}, {"poetry.lock", ""}}, {"poetry"})), HasSubstr("python -m pytest"));
}

TEST(FindPytest, WithoutItTheInstallationIsNamed) {
  EXPECT_THAT(installs(only({{"pytest.ini", ""}}, {"pytest"})), ElementsAre("python -m pip install pytest"));
}

TEST(FindUnittest, ByTestClassesWithoutAnySignOfPytest) {
  const auto found =
      only({{"tests/__init__.py", ""}, {"tests/test_a.py", "import unittest\nclass A(unittest.TestCase): pass\n"}});
  EXPECT_EQ(found.framework, Framework::unittest);
  EXPECT_EQ(command(found), "python -m xmlrunner discover --output-file {junit} --outsuffix ''");
  EXPECT_THAT(names(scan({{"pytest.ini", ""}, {"test_a.py", "import unittest\nclass A(unittest.TestCase): pass\n"}})),
              ElementsAre("pytest"));
}

TEST(FindUnittest, DiscoveryBeginsWhereTheFolderIsNoPackage) {
  EXPECT_THAT(command(only({{"tests/test_a.py", "from unittest import TestCase\n"}})), HasSubstr("discover -s tests "));
}

TEST(FindUnittest, WithoutItsReporterTheInstallationIsNamed) {
  EXPECT_THAT(installs(only({{"test_a.py", "from unittest import TestCase\n"}}, {"xmlrunner"})),
              ElementsAre("python -m pip install unittest-xml-reporting"));
}

TEST(FindGo, ByModulesThatHaveTests) {
  EXPECT_EQ(command(only({{"go.mod", "module m"}, {"a/a_test.go", ""}})),
            "gotestsum --junitfile={junit} -- -count=1 ./...");
  EXPECT_THAT(scan({{"go.mod", "module m"}, {"a.go", ""}}).frameworks, IsEmpty());
}

TEST(FindGo, WithoutGotestsumGoCompilesIt) {
  const auto found = only({{"go.mod", "module m"}, {"a_test.go", ""}}, {"gotestsum"});
  EXPECT_EQ(command(found), "go run gotest.tools/gotestsum@v1.13.0 --junitfile={junit} -- -count=1 ./...");
  EXPECT_THAT(found.missing, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("go install gotest.tools/gotestsum")));
  EXPECT_THAT(command(only({{"go.mod", "module m\ntool gotest.tools/gotestsum\n"}, {"a_test.go", ""}}, {"gotestsum"})),
              HasSubstr("go tool gotestsum --junitfile"));
}

TEST(FindGo, AModuleBelowAnotherIsOneOfItsOwn) {
  EXPECT_THAT(names(scan({{"go.mod", "m"}, {"a_test.go", ""}, {"sub/go.mod", "n"}, {"sub/b_test.go", ""}})),
              ElementsAre("go", "sub: go"));
}

TEST(FindCargo, NextestBringsItsProfile) {
  const auto found = only({{"Cargo.toml", ""}, {"crates/a/Cargo.toml", ""}});
  EXPECT_EQ(command(found),
            "cargo nextest run --no-fail-fast --config-file .flakestat/nextest.toml --profile flakestat");
  EXPECT_EQ(found.junit, "target/nextest/flakestat/junit.xml");
  ASSERT_TRUE(found.companion);
  EXPECT_EQ(found.companion->path, ".flakestat/nextest.toml");
  EXPECT_THAT(found.companion->content, HasSubstr("[profile.flakestat.junit]\npath = \"junit.xml\"\n"));
}

TEST(FindCargo, AProfileOfTheProjectThatWritesJunitIsUsed) {
  const auto found = only({{"Cargo.toml", ""}, {".config/nextest.toml", "[profile.ci.junit]\n path = \"out.xml\"\n"}});
  EXPECT_EQ(command(found), "cargo nextest run --no-fail-fast --profile ci");
  EXPECT_EQ(found.junit, "target/nextest/ci/out.xml");
  EXPECT_FALSE(found.companion);
  const auto without = only({{"Cargo.toml", ""}, {".config/nextest.toml", "[profile.default]\nretries = 2\n"}});
  EXPECT_EQ(without.junit, "");
  EXPECT_THAT(installs(without), ElementsAre(HasSubstr("[profile.flakestat.junit]")));
}

TEST(FindCargo, WithoutNextestOnlyExitCodesAreSeenAndThatIsSaid) {
  const auto found = only({{"Cargo.toml", ""}}, {"cargo-nextest"});
  EXPECT_EQ(found.framework, Framework::cargo_test);
  EXPECT_EQ(command(found), "cargo test --no-fail-fast");
  EXPECT_EQ(found.junit, "");
  EXPECT_THAT(installs(found), ElementsAre(HasSubstr("cargo install cargo-nextest --locked")));
}

TEST(FindMaven, ReportsOfOneModuleOrOfAll) {
  const auto one = only({{"pom.xml", "<project/>"}});
  EXPECT_EQ(command(one), "mvn -q -B test");
  EXPECT_EQ(one.junit, "target/surefire-reports/TEST-*.xml");
  const auto several = only({{"pom.xml", "<modules><module>a</module></modules>"}, {"a/pom.xml", ""}, {"mvnw", ""}});
  EXPECT_EQ(command(several), "./mvnw -q -B test -Dmaven.test.failure.ignore=true");
  EXPECT_EQ(several.junit, "**/target/surefire-reports/TEST-*.xml");
}

TEST(FindGradle, TestsAreNeverTakenFromACache) {
  const auto found = only({{"settings.gradle.kts", ""}, {"app/build.gradle.kts", ""}, {"gradlew", ""}});
  EXPECT_EQ(command(found), "./gradlew --continue --no-build-cache cleanTest test");
  EXPECT_EQ(found.junit, "**/build/test-results/test/TEST-*.xml");
}

TEST(FindJest, IdentitiesHoldTheFile) {
  const auto found = only({{"package.json", R"({"devDependencies":{"jest":"30","jest-junit":"17"}})"},
                           {"node_modules/jest/x", ""},
                           {"node_modules/jest-junit/x", ""}});
  EXPECT_EQ(command(found),
            "env JEST_JUNIT_OUTPUT_FILE={junit} JEST_JUNIT_SUITE_NAME={filepath} JEST_JUNIT_CLASSNAME={classname} "
            "JEST_JUNIT_TITLE={title} JEST_JUNIT_ANCESTOR_SEPARATOR= >  JEST_JUNIT_ADD_FILE_ATTRIBUTE=true "
            "JEST_JUNIT_REPORT_TEST_SUITE_ERRORS=true npx jest --ci --reporters=default --reporters=jest-junit");
  EXPECT_THAT(found.missing, IsEmpty());
}

TEST(FindJest, WhatIsMissingIsNamedInTheProjectsOwnPackageManager) {
  const auto* json = R"({"devDependencies":{"jest":"30"}})";
  EXPECT_THAT(installs(only({{"package.json", json}})),
              ElementsAre("npm install", "npm install --save-dev jest-junit"));
  EXPECT_THAT(installs(only({{"package.json", json}, {"pnpm-lock.yaml", ""}})),
              ElementsAre("pnpm install", "pnpm add -D jest-junit"));
  EXPECT_THAT(installs(only({{"package.json", json}, {"yarn.lock", ""}})),
              ElementsAre("yarn install", "yarn add -D jest-junit"));
}

TEST(FindJest, SettingsAScriptOrAKeyTellToo) {
  EXPECT_EQ(only({{"package.json", R"({"jest":{}})"}}).framework, Framework::jest);
  EXPECT_EQ(only({{"package.json", R"({"scripts":{"unit":"npx jest"}})"}}).framework, Framework::jest);
  EXPECT_EQ(only({{"package.json", "{}"}, {"jest.config.ts", ""}}).evidence, "jest.config.ts");
}

TEST(FindVitest, TheOneThatTheTestScriptNamesLeads) {
  const auto* both = R"({"devDependencies":{"jest":"30","vitest":"4"},"scripts":{"test":"jest"}})";
  EXPECT_THAT(names(scan({{"package.json", both}})), ElementsAre("jest", "vitest"));
  EXPECT_EQ(command(only({{"package.json", R"({"devDependencies":{"vitest":"4"}})"}})),
            "npx vitest run --reporter=default --reporter=junit --outputFile.junit={junit}");
}

TEST(FindNode, WithPlugAndPlayYarnFindsThePrograms) {
  const auto found =
      only({{"package.json", R"({"devDependencies":{"vitest":"4"}})"}, {".pnp.cjs", ""}, {"yarn.lock", ""}});
  EXPECT_THAT(command(found), HasSubstr("yarn vitest run"));
  EXPECT_THAT(found.missing, IsEmpty());
}

TEST(FindMocha, ByItsSettingsOrThePackage) {
  EXPECT_EQ(command(only({{"package.json", "{}"}, {".mocharc.yml", ""}})),
            "npx mocha --reporter xunit --reporter-option output={junit}");
  EXPECT_EQ(only({{"package.json", R"({"devDependencies":{"mocha":"11"}})"}}).framework, Framework::mocha);
}

TEST(FindPlaywright, ProjectsAndRetriesAreInTheReport) {
  const auto found =
      only({{"package.json", R"({"devDependencies":{"@playwright/test":"1"}})"}, {"playwright.config.ts", ""}});
  EXPECT_EQ(command(found),
            "env PLAYWRIGHT_JUNIT_OUTPUT_FILE={junit} PLAYWRIGHT_JUNIT_INCLUDE_PROJECT_IN_TEST_NAME=1 "
            "PLAYWRIGHT_JUNIT_INCLUDE_RETRIES=1 npx playwright test --reporter=list,junit");
}

TEST(FindNodeTest, OtherWordsOfTheScriptAreKept) {
  const auto* plain =
      "node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit "
      "--test-reporter-destination={junit}";
  EXPECT_EQ(command(only({{"package.json", R"({"scripts":{"test":"node --test"}})"}})), plain);
  EXPECT_EQ(
      command(only({{"package.json", R"({"scripts":{"test":"node --import tsx --test --test-reporter=dot 'a b'"}})"}})),
      std::string(plain) + " --import tsx a b");
  EXPECT_EQ(command(only({{"package.json", R"x({"scripts":{"test":"node --test $(ls)"}})x"}})), plain);
}

TEST(FindNodeTest, ByImportsWhereNoPackageTells) {
  EXPECT_EQ(only({{"test/a.test.mjs", "import test from 'node:test';"}}).framework, Framework::node_test);
  EXPECT_THAT(names(scan({{"package.json", R"({"jest":{}})"}, {"a.test.js", "require('node:test')"}})),
              ElementsAre("jest"));
}

TEST(FindNode, ADamagedPackageIsANote) {
  const auto found = scan({{"package.json", "{\"jest\":"}, {"jest.config.js", ""}});
  EXPECT_THAT(names(found), ElementsAre("jest"));
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("\"package.json\" is not valid JSON")));
}

TEST(FindCTest, WithItsBuildFolder) {
  const auto* lists = "cmake_minimum_required(VERSION 3.20)\nenable_testing()\n";
  const auto found =
      only({{"CMakeLists.txt", lists}, {"sub/CMakeLists.txt", ""}, {"build/debug/CTestTestfile.cmake", ""}});
  EXPECT_EQ(command(found), "ctest --test-dir build/debug --no-tests=error --output-junit {junit}");
  EXPECT_THAT(found.missing, IsEmpty());
  const auto unbuilt = only({{"CMakeLists.txt", lists}});
  EXPECT_THAT(command(unbuilt), HasSubstr("--test-dir build "));
  EXPECT_THAT(installs(unbuilt), ElementsAre("cmake -S . -B build && cmake --build build"));
}

TEST(FindCTest, GoogleTestWithoutCTestHasNoCommandYet) {
  const auto found = only({{"CMakeLists.txt", "# enable_testing()\nfind_package(GTest)\n"}});
  EXPECT_THAT(found.command, IsEmpty());
  EXPECT_THAT(installs(found), ElementsAre(HasSubstr("gtest_discover_tests")));
  EXPECT_THAT(scan({{"CMakeLists.txt", "project(x)\n"}}).frameworks, IsEmpty());
}

TEST(FindDotnet, ByProjectsWithTheTestSdk) {
  const auto* project = "<PackageReference Include=\"Microsoft.NET.Test.Sdk\"/>";
  const auto found = only({{"a.sln", ""}, {"t/t.csproj", project}, {"u/u.csproj", project}, {"app/app.csproj", ""}});
  EXPECT_EQ(found.folder, "");
  EXPECT_EQ(command(found), "dotnet test --logger junit;LogFilePath=TestResults/{assembly}.junit.xml");
  EXPECT_EQ(found.junit, "**/TestResults/*.junit.xml");
  EXPECT_THAT(installs(found), ElementsAre("dotnet add t/t.csproj package JunitXml.TestLogger"));
}

TEST(FindRspec, WithBundlerWhereTheGemfileHasIt) {
  EXPECT_EQ(command(only({{"spec/a_spec.rb", ""}})),
            "rspec --format progress --format RspecJunitFormatter --out {junit}");
  const auto bundled = only({{"Gemfile", "gem 'rspec'\n"}, {".rspec", ""}}, {"rspec_junit_formatter"});
  EXPECT_THAT(command(bundled), HasSubstr("bundle exec rspec --format"));
  EXPECT_THAT(installs(bundled), ElementsAre("bundle add --group test rspec_junit_formatter"));
}

TEST(FindMinitest, WithoutItsReporterOnlyExitCodesAreSeenAndThatIsSaid) {
  const auto found = only({{"test/a_test.rb", "require 'minitest/autorun'"}}, {"minitest-junit"});
  EXPECT_THAT(command(found), HasSubstr("ruby -Ilib -Itest -e "));
  EXPECT_EQ(found.junit, "");
  EXPECT_THAT(installs(found), ElementsAre("gem install minitest-junit, then init again"));
  const auto reporting = only({{"test/a_test.rb", "require 'minitest/autorun'"}});
  EXPECT_THAT(command(reporting), HasSubstr(" -- --junit --junit-filename={junit}"));
  EXPECT_EQ(reporting.junit, kReport);
}

TEST(FindPhpunit, TheProjectsOwnBeforeTheMachines) {
  EXPECT_EQ(command(only({{"phpunit.xml", ""}})), "phpunit --log-junit {junit}");
  const auto own = only({{"composer.json", R"({"require-dev":{"phpunit/phpunit":"^11"}})"}});
  EXPECT_EQ(command(own), "vendor/bin/phpunit --log-junit {junit} tests");
  EXPECT_THAT(installs(own), ElementsAre("composer install"));
}

TEST(FindBats, FoldersAreNamedSoThatSuitesKeepTheirNames) {
  const auto found = only({{"test/a.bats", ""}, {"test/sub/b.bats", ""}});
  EXPECT_EQ(command(found), "bats --report-formatter junit -o .flakestat/reports/bats-{run} test test/sub");
  EXPECT_EQ(found.junit, ".flakestat/reports/bats-{run}/report.xml");
}

TEST(FindBazel, ResultsAreNeverTakenFromTheCache) {
  const auto found = only({{"MODULE.bazel", ""}, {"a/WORKSPACE", ""}});
  EXPECT_EQ(command(found), "bazel test --nocache_test_results --test_env=FLAKESTAT_RUN --keep_going //...");
  EXPECT_EQ(found.junit, "bazel-testlogs/**/test.xml");
}

TEST(Frameworks, SeveralAreInTheDocumentedOrderFolderByFolder) {
  EXPECT_THAT(names(scan({{"web/package.json", R"({"jest":{}})"},
                          {"MODULE.bazel", ""},
                          {"Cargo.toml", ""},
                          {"pytest.ini", ""},
                          {"api/go.mod", ""},
                          {"api/a_test.go", ""},
                          {"api/tests/conftest.py", ""}})),
              ElementsAre("pytest", "nextest", "bazel", "api: go", "web: jest"));
}

TEST(Frameworks, WhatTheFoldersOwnFilesTellLeads) {
  EXPECT_THAT(names(scan({{"CMakeLists.txt", "enable_testing()"}, {"tools/test_a.py", "def test_a(): pass\n"}})),
              ElementsAre("ctest", "pytest"));
}

TEST(Frameworks, OnesBelowTheSameFrameworkBelongToIt) {
  EXPECT_THAT(names(scan({{"package.json", R"({"jest":{}})"}, {"packages/a/package.json", R"({"jest":{}})"}})),
              ElementsAre("jest"));
}

TEST(ThisMachine, LooksAlongThePathAndAsksForExitCodes) {
  const TempDir dir;
  const auto program = dir.write("bin/tool", "#!/bin/sh\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  dir.write("bin/data", "");
  const auto machine = this_machine([&](std::string_view name) {
    return name == "PATH" ? std::optional("/nowhere:" + dir.file("bin")) : std::nullopt;
  });
  EXPECT_TRUE(machine.has_program("tool"));
  EXPECT_FALSE(machine.has_program("data"));
  EXPECT_FALSE(machine.has_program("other"));
  EXPECT_TRUE(machine.succeeds({"true"}, dir.path().string()));
  EXPECT_FALSE(machine.succeeds({"false"}, dir.path().string()));
  EXPECT_FALSE(machine.succeeds({"flakestat-no-such-program"}, dir.path().string()));
}

TEST(Frameworks, APackageJsonThatIsTooLargeIsNotedAsThat) {
  const auto huge = R"({"scripts":{"test":"jest"},"x":")" + std::string(std::size_t{2} << 20, 'y') + "\"}";
  const auto found = scan({{"package.json", huge.c_str()}});
  EXPECT_THAT(found.frameworks, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("larger than 1 MiB")));
}

}  // namespace
}  // namespace flakestat::env
