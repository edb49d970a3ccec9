// Go modules with tests, and Cargo packages.
#include <algorithm>
#include <utility>

#include "base/strings.hpp"
#include "env/framework_search.hpp"

namespace flakestat::env {
namespace {

constexpr std::string_view kGotestsum = "gotest.tools/gotestsum";
constexpr std::string_view kGotestsumRun =
    "gotest.tools/gotestsum@v1.13.0";  // the version that docs/init.md is proved on

// A test file that belongs to the module in `folder`; empty: none.
std::string go_test_of(const FrameworkSearch& search, const std::string& folder) {
  for (const auto& other : search.tree.folders()) {
    if (!lies_in(other.path, folder)) continue;
    for (const auto& name : other.files) {
      if (name.ends_with("_test.go") && search.owner(other.path, {"go.mod"}) == folder) return joined(other.path, name);
    }
  }
  return {};
}

// gotestsum from the PATH, from the module's own tools, or compiled by go itself, which needs no installation.
std::vector<std::string> gotestsum(const FrameworkSearch& search, const std::string& module) {
  if (contains(search.tree.text(module), kGotestsum)) return {"go", "tool", "gotestsum"};
  if (search.machine.has_program("gotestsum")) return {"gotestsum"};
  return {"go", "run", std::string(kGotestsumRun)};
}

void add_go(FrameworkSearch& search, const std::string& folder, const std::string& evidence) {
  FoundFramework found{Framework::go_test, folder, evidence, gotestsum(search, joined(folder, "go.mod")),
                       search.report(),    {},     {},       {}};
  if (found.command.size() > 1 && found.command[1] == "run") {
    found.notes.emplace_back(
        "gotestsum is not on the PATH: go compiles it (the first run takes longer); "
        "'go install gotest.tools/gotestsum@latest', then init again, starts faster");
  }
  // -count=1: else a passing package is answered from the cache, as if it had run.
  found.command.insert(found.command.end(), {"--junitfile={junit}", "--", "-count=1", "./..."});
  search.need_program(found, "go", "install Go with your system's package manager");
  search.found.push_back(std::move(found));
}

}  // namespace

void find_go(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) {
    const auto module = joined(folder.path, "go.mod");
    if (!search.tree.has(module)) continue;
    if (!go_test_of(search, folder.path).empty()) add_go(search, folder.path, module);
  }
}

namespace {

// The report of `[profile.NAME.junit]` in a nextest.toml, as `target/nextest/NAME/FILE`; empty: there is none.
std::string nextest_junit(std::string_view config, std::string& profile) {
  bool inside = false;
  for (const auto raw : split(config, '\n')) {
    const auto line = trim(raw);
    if (line.starts_with("[")) {
      inside = line.starts_with("[profile.") && line.ends_with(".junit]");
      if (inside) profile = line.substr(9, line.size() - 9 - 7);
    } else if (inside && line.starts_with("path")) {
      const auto open = line.find('"');
      const auto close = line.rfind('"');
      if (open != std::string_view::npos && close > open)
        return "target/nextest/" + profile + "/" + std::string(line.substr(open + 1, close - open - 1));
    }
  }
  return {};
}

// nextest writes JUnit only for a profile that says so: the project's own, or one in a file of ours.
void choose_profile(const FrameworkSearch& search, FoundFramework& found) {
  const auto config = joined(found.folder, ".config/nextest.toml");
  auto& command = found.command;
  if (!search.tree.has(config)) {
    const auto own = search.state_dir + "/nextest.toml";
    found.companion =
        CompanionFile{own,
                      "# The profile that 'cargo nextest run --profile flakestat' of .flakestat.json uses.\n"
                      "[profile.flakestat.junit]\npath = \"junit.xml\"\n"};
    command.insert(command.end(), {"--config-file", own, "--profile", "flakestat"});
    found.junit = "target/nextest/flakestat/junit.xml";
    return;
  }
  std::string profile;
  found.junit = nextest_junit(search.tree.text(config), profile);
  if (!found.junit.empty()) {
    command.insert(command.end(), {"--profile", profile});
  } else {
    found.missing.push_back(
        {config + " has no profile that writes JUnit: only exit codes are seen",
         "add the lines [profile.flakestat.junit] and path = \"junit.xml\" to it, then init again"});
  }
}

void add_cargo(FrameworkSearch& search, const std::string& folder, const std::string& manifest) {
  FoundFramework found{Framework::nextest, folder, manifest, {}, {}, {}, {}, {}};
  if (search.machine.has_program("cargo-nextest")) {
    // Without it a failure ends the run early, and the tests behind it have no result.
    found.command = {"cargo", "nextest", "run", "--no-fail-fast"};
    choose_profile(search, found);
    found.notes.emplace_back("nextest does not run doc tests");
  } else {
    found.framework = Framework::cargo_test;
    found.command = {"cargo", "test", "--no-fail-fast"};
    found.missing.push_back(
        {"cargo-nextest is not installed, and cargo test writes no report: only exit codes are seen",
         "cargo install cargo-nextest --locked, then init again"});
  }
  search.need_program(found, "cargo", "install Rust");
  search.found.push_back(std::move(found));
}

}  // namespace

void find_cargo(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) {
    const auto manifest = joined(folder.path, "Cargo.toml");
    if (!search.tree.has(manifest)) continue;
    if (search.covered(Framework::nextest, folder.path) || search.covered(Framework::cargo_test, folder.path)) continue;
    add_cargo(search, folder.path, manifest);
  }
}

}  // namespace flakestat::env
