// Jest, Vitest, Mocha, node:test and Playwright, by package.json and the runners' own settings.
#include <algorithm>
#include <utility>

#include "base/strings.hpp"
#include "env/framework_search.hpp"
#include "env/package_json.hpp"

namespace flakestat::env {
namespace {

constexpr std::size_t kMostTestFiles = 200;  // read for imports of node:test

struct Package {
  const FrameworkSearch& search;
  std::string folder;
  std::string file;  // the package.json
  PackageJson json;

  // The evidence for a runner: its settings file, else package.json when a dependency, a key or a script names it.
  [[nodiscard]] std::string evidence(std::string_view package, std::string_view program, std::string_view key,
                                     std::string_view settings) const {
    for (const auto* ending : {".ts", ".mts", ".js", ".mjs", ".cjs", ".json", ".yml", ".yaml", ".jsonc", ""}) {
      auto path = joined(folder, std::string(settings) + ending);
      if (search.tree.has(path)) return path;
    }
    const bool named = json.has_package(package) || (!key.empty() && json.has_key(key)) ||
                       std::any_of(json.scripts.begin(), json.scripts.end(),
                                   [&](const auto& script) { return script_runs(script.second, program); });
    return named ? file : std::string();
  }

  [[nodiscard]] std::string_view manager() const {
    for (const auto& [lock, program] : {std::pair{"pnpm-lock.yaml", "pnpm"}, std::pair{"yarn.lock", "yarn"},
                                        std::pair{"bun.lock", "bun"}, std::pair{"bun.lockb", "bun"}}) {
      if (search.exists_upward(folder, lock)) return program;
    }
    return "npm";
  }

  [[nodiscard]] std::string add_package(std::string_view name) const {
    const auto program = manager();
    const auto* verb = program == "npm" ? "npm install --save-dev " : program == "bun" ? " add --dev " : " add -D ";
    return (program == "npm" ? std::string() : std::string(program)) + verb + std::string(name);
  }

  // Yarn's Plug'n'Play has no node_modules: only yarn itself finds the programs.
  [[nodiscard]] bool plug_and_play() const { return search.exists_upward(folder, ".pnp.cjs"); }

  void run_by(FoundFramework& found, std::string_view program) const {
    found.command.emplace_back(plug_and_play() ? "yarn" : "npx");
    found.command.emplace_back(program);
  }

  // A package that the command needs: said to be added when no package.json on the way up names it, to be installed
  // when node_modules lacks it.
  void need_package(FoundFramework& found, const std::string& name) const {
    const bool installed = plug_and_play() || search.exists_upward(folder, "node_modules/" + name);
    if (installed) return;
    if (!named_upward(name)) {
      found.missing.push_back({name + " is not among the packages of " + file, add_package(name)});
      return;
    }
    const auto install = std::string(manager()) + " install";
    const bool said = std::any_of(found.missing.begin(), found.missing.end(),
                                  [&](const Prerequisite& other) { return other.install == install; });
    if (!said) found.missing.push_back({"the packages of " + file + " are not installed", install});
  }

  [[nodiscard]] bool named_upward(std::string_view name) const {
    if (json.has_package(name)) return true;
    for (std::string at = folder; !at.empty();) {
      at = parent_of(at);
      const auto above = parse_package_json(search.tree.text(joined(at, "package.json")));
      if (above && above->has_package(name)) return true;
    }
    return false;
  }
};

void add(FrameworkSearch& search, FoundFramework found) {
  if (search.covered(found.framework, found.folder)) return;
  found.junit = search.report();
  search.need_program(found, "node", "install Node.js");
  search.found.push_back(std::move(found));
}

void add_vitest(FrameworkSearch& search, const Package& package) {
  FoundFramework found{
      Framework::vitest, package.folder, package.evidence("vitest", "vitest", "", "vitest.config"), {}, {}, {}, {}, {}};
  if (found.evidence.empty()) return;
  package.run_by(found, "vitest");
  found.command.insert(found.command.end(),
                       {"run", "--reporter=default", "--reporter=junit", "--outputFile.junit={junit}"});
  package.need_package(found, "vitest");
  add(search, std::move(found));
}

void add_jest(FrameworkSearch& search, const Package& package) {
  FoundFramework found{
      Framework::jest, package.folder, package.evidence("jest", "jest", "jest", "jest.config"), {}, {}, {}, {}, {}};
  if (found.evidence.empty()) return;
  // With jest-junit's own defaults, equal tests of two files are one, and a file that does not load leaves no trace.
  found.command = {"env",
                   "JEST_JUNIT_OUTPUT_FILE={junit}",
                   "JEST_JUNIT_SUITE_NAME={filepath}",
                   "JEST_JUNIT_CLASSNAME={classname}",
                   "JEST_JUNIT_TITLE={title}",
                   "JEST_JUNIT_ANCESTOR_SEPARATOR= > ",
                   "JEST_JUNIT_ADD_FILE_ATTRIBUTE=true",
                   "JEST_JUNIT_REPORT_TEST_SUITE_ERRORS=true"};
  package.run_by(found, "jest");
  found.command.insert(found.command.end(), {"--ci", "--reporters=default", "--reporters=jest-junit"});
  package.need_package(found, "jest");
  package.need_package(found, "jest-junit");
  add(search, std::move(found));
}

void add_mocha(FrameworkSearch& search, const Package& package) {
  FoundFramework found{
      Framework::mocha, package.folder, package.evidence("mocha", "mocha", "mocha", ".mocharc"), {}, {}, {}, {}, {}};
  if (found.evidence.empty()) return;
  package.run_by(found, "mocha");
  found.command.insert(found.command.end(), {"--reporter", "xunit", "--reporter-option", "output={junit}"});
  package.need_package(found, "mocha");
  add(search, std::move(found));
}

void add_playwright(FrameworkSearch& search, const Package& package) {
  FoundFramework found{Framework::playwright,
                       package.folder,
                       package.evidence("@playwright/test", "playwright", "", "playwright.config"),
                       {},
                       {},
                       {},
                       {},
                       {}};
  if (found.evidence.empty()) return;
  // Else two projects are one test, and a test that passed on a retry looks like any other.
  found.command = {"env", "PLAYWRIGHT_JUNIT_OUTPUT_FILE={junit}", "PLAYWRIGHT_JUNIT_INCLUDE_PROJECT_IN_TEST_NAME=1",
                   "PLAYWRIGHT_JUNIT_INCLUDE_RETRIES=1"};
  package.run_by(found, "playwright");
  found.command.insert(found.command.end(), {"test", "--reporter=list,junit"});
  package.need_package(found, "@playwright/test");
  add(search, std::move(found));
}

std::vector<std::string> node_reporters() {
  return {"--test", "--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=junit",
          "--test-reporter-destination={junit}"};
}

// `node --import tsx --test src` with our reporters: its other words are kept where no shell is needed to read them.
std::vector<std::string> node_command(std::string_view script) {
  std::vector<std::string> command{"node"};
  const auto reporters = node_reporters();
  command.insert(command.end(), reporters.begin(), reporters.end());
  if (script.find_first_of("*?$|&;<>()`\\") != std::string_view::npos) return command;
  const auto words = split_command(script);
  if (!words || words->empty() || words->front() != "node") return command;
  for (auto word = words->begin() + 1; word != words->end(); ++word) {
    if (*word != "--test" && !word->starts_with("--test-reporter")) command.push_back(*word);
  }
  return command;
}

bool is_script_test(std::string_view name) {
  for (const auto* ending : {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"}) {
    if (name.ends_with(ending)) return contains(name, "test");
  }
  return false;
}

bool imports_node_test(std::string_view text) {
  return contains(text, "'node:test'") || contains(text, "\"node:test\"");
}

void add_node_test(FrameworkSearch& search, const std::string& folder, const std::string& evidence,
                   std::string_view script) {
  add(search, {Framework::node_test, folder, evidence, node_command(script), {}, {}, {}, {}});
}

void find_package(FrameworkSearch& search, const ProjectFolder& folder) {
  Package package{search, folder.path, joined(folder.path, "package.json"), {}};
  const auto content = search.tree.text(package.file);
  auto json = content.empty() ? Error{ErrorKind::damaged, "empty, not readable or larger than 1 MiB"}
                              : parse_package_json(content);
  if (json) package.json = std::move(json).value();
  else
    search.notes.push_back(in_quotes(package.file) + " is " + json.error().message +
                           ": only settings files count there");
  const auto first = search.found.size();
  add_vitest(search, package);
  add_jest(search, package);
  add_mocha(search, package);
  for (const auto& [name, text] : package.json.scripts) {
    if (script_runs(text, "node") && script_runs(text, "--test")) {
      add_node_test(search, folder.path, package.file, text);
      break;
    }
  }
  add_playwright(search, package);
  // What the project itself calls its tests comes first.
  const auto script = package.json.test_script();
  std::stable_partition(search.found.begin() + static_cast<std::ptrdiff_t>(first), search.found.end(),
                        [&](const FoundFramework& found) {
                          return script_runs(script, to_string(found.framework)) ||
                                 (found.framework == Framework::node_test && script_runs(script, "--test"));
                        });
}

// Files that import node:test, where no package.json has told of a runner already.
void find_imports(FrameworkSearch& search) {
  constexpr Framework kOurs[] = {Framework::vitest, Framework::jest, Framework::mocha, Framework::node_test};
  std::size_t read = 0;
  for (const auto& folder : search.tree.folders()) {
    const auto owner = search.owner(folder.path, {"package.json"});
    if (std::any_of(std::begin(kOurs), std::end(kOurs), [&](auto ours) { return search.covered(ours, owner); }))
      continue;
    for (const auto& name : folder.files) {
      if (!is_script_test(name) && !is_script_test(folder.path + name)) continue;
      if (++read > kMostTestFiles) return;
      const auto path = joined(folder.path, name);
      if (!imports_node_test(search.tree.text(path))) continue;
      add_node_test(search, owner, path, {});
      break;
    }
  }
}

}  // namespace

void find_node(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) {
    if (search.tree.has(joined(folder.path, "package.json"))) find_package(search, folder);
  }
  find_imports(search);
}

}  // namespace flakestat::env
