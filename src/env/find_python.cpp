// pytest and unittest: settings and requirements tell, else the test files themselves.
#include <algorithm>
#include <map>
#include <utility>

#include "base/strings.hpp"
#include "env/framework_search.hpp"

namespace flakestat::env {
namespace {

const std::initializer_list<std::string_view> kManifests = {
    "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini", "requirements.txt", "Pipfile"};
constexpr std::size_t kMostTestFiles = 200;  // read for signs; the settings usually have told before

// What the files below one project folder say.
struct Signs {
  std::string pytest;    // the file that told; empty: none
  std::string unittest;  // a test file that tells
  std::vector<std::string> unittest_folders;
};
using Projects = std::map<std::string, Signs>;

bool is_test_file(std::string_view name) {
  return name.ends_with(".py") && (name.starts_with("test") || name.ends_with("_test.py"));
}

void say(std::string& evidence, std::string_view file) {
  if (evidence.empty()) evidence = file;
}

void read_settings(const FrameworkSearch& search, const ProjectFolder& folder, Projects& projects) {
  constexpr std::pair<std::string_view, std::string_view> kSettings[] = {{"pytest.ini", ""},
                                                                         {".pytest.ini", ""},
                                                                         {"pyproject.toml", "pytest"},
                                                                         {"tox.ini", "[pytest]"},
                                                                         {"setup.cfg", "[tool:pytest]"},
                                                                         {"tox.ini", "pytest"},
                                                                         {"setup.cfg", "pytest"},
                                                                         {"setup.py", "pytest"},
                                                                         {"Pipfile", "pytest"},
                                                                         {"requirements.txt", "pytest"},
                                                                         {"requirements-dev.txt", "pytest"},
                                                                         {"requirements-test.txt", "pytest"},
                                                                         {"dev-requirements.txt", "pytest"}};
  for (const auto& [name, part] : kSettings) {
    const auto path = joined(folder.path, name);
    if (!search.tree.has(path)) continue;
    if (part.empty() || contains(without_comments(search.tree.text(path)), part))
      say(projects[folder.path].pytest, path);
  }
}

bool speaks_pytest(std::string_view text) {
  return contains(text, "import pytest") || contains(text, "from pytest") || text.starts_with("def test_") ||
         contains(text, "\ndef test_") || contains(text, "\nasync def test_");
}

void read_test_file(const FrameworkSearch& search, const ProjectFolder& folder, std::string_view name, Signs& signs) {
  const auto path = joined(folder.path, name);
  const auto text = search.tree.text(path);
  if (speaks_pytest(text)) return say(signs.pytest, path);
  const bool imports = contains(text, "import unittest") || contains(text, "from unittest");
  // discover's own pattern is test*.py.
  if (!imports || !contains(text, "TestCase") || !name.starts_with("test")) return;
  say(signs.unittest, path);
  signs.unittest_folders.push_back(folder.path);
}

Projects read_projects(const FrameworkSearch& search) {
  Projects projects;
  std::size_t read = 0;
  for (const auto& folder : search.tree.folders()) read_settings(search, folder, projects);
  for (const auto& folder : search.tree.folders()) {
    for (const auto& name : folder.files) {
      if (name != "conftest.py" && !is_test_file(name)) continue;
      auto& signs = projects[search.owner(folder.path, kManifests)];
      if (name == "conftest.py") say(signs.pytest, joined(folder.path, name));
      else if (signs.pytest.empty() && read++ < kMostTestFiles) read_test_file(search, folder, name, signs);
    }
  }
  return projects;
}

// How this project starts Python, and whether a module can be looked for without setting anything up.
struct Interpreter {
  std::vector<std::string> argv;
  bool may_ask = true;
  std::string install;  // what comes before the name of a package
};

Interpreter interpreter_of(const FrameworkSearch& search, const std::string& folder) {
  const auto& machine = search.machine;
  const auto locked = [&](std::string_view lock, std::string_view program) {
    return search.tree.has(joined(folder, lock)) && machine.has_program(program);
  };
  if (locked("uv.lock", "uv")) return {{"uv", "run", "python"}, false, "uv add --dev"};
  if (locked("poetry.lock", "poetry")) return {{"poetry", "run", "python"}, false, "poetry add --group dev"};
  if (locked("Pipfile.lock", "pipenv")) return {{"pipenv", "run", "python"}, false, "pipenv install --dev"};
  for (const auto* own : {".venv/bin/python", "venv/bin/python"}) {
    if (search.tree.exists(joined(folder, own))) return {{own}, true, std::string(own) + " -m pip install"};
  }
  const std::string name = machine.has_program("python") || !machine.has_program("python3") ? "python" : "python3";
  return {{name}, true, name + " -m pip install"};
}

// Looks without importing: nothing of the project is run.
void need_module(const FrameworkSearch& search, const Interpreter& python, std::string_view module,
                 std::string_view package, FoundFramework& found) {
  if (python.argv.size() == 1 && !contains(python.argv[0], "/")) {
    search.need_program(found, python.argv[0], "install Python 3 with your system's package manager");
    if (!found.missing.empty()) return;
  }
  if (!python.may_ask) return;
  auto query = python.argv;
  query.insert(query.end(), {"-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('" +
                                       std::string(module) + "') is None)"});
  if (search.machine.succeeds(query, search.tree.absolute(found.folder))) return;
  found.missing.push_back({std::string(package) + " is not installed for " + python.argv.front(),
                           python.install + " " + std::string(package)});
}

void add_pytest(FrameworkSearch& search, const std::string& folder, const Signs& signs) {
  const auto python = interpreter_of(search, folder);
  FoundFramework found{Framework::pytest, folder, signs.pytest, python.argv, search.report(), {}, {}, {}};
  // xunit1 adds file and line, which lead back from a case to pytest's own id.
  found.command.insert(found.command.end(), {"-m", "pytest", "-q", "-o", "junit_family=xunit1", "--junitxml={junit}"});
  need_module(search, python, "pytest", "pytest", found);
  search.found.push_back(std::move(found));
}

// Tests below folders without __init__.py are not found from the project's root: discovery begins at their topmost one.
std::string discovery_start(const FrameworkSearch& search, const std::string& folder, const Signs& signs) {
  for (const auto& tests : signs.unittest_folders) {
    for (std::string at = tests; at != folder; at = parent_of(at)) {
      if (search.tree.has(joined(at, "__init__.py"))) continue;
      return below(at, folder);
    }
  }
  return {};
}

void add_unittest(FrameworkSearch& search, const std::string& folder, const Signs& signs) {
  const auto python = interpreter_of(search, folder);
  FoundFramework found{Framework::unittest, folder, signs.unittest, python.argv, search.report(), {}, {}, {}};
  auto& command = found.command;
  command.insert(command.end(), {"-m", "xmlrunner", "discover"});
  if (const auto start = discovery_start(search, folder, signs); !start.empty()) {
    command.insert(command.end(), {"-s", start});
    const bool other = std::any_of(signs.unittest_folders.begin(), signs.unittest_folders.end(),
                                   [&](const auto& tests) { return !lies_in(below(tests, folder), start); });
    if (other)
      found.notes.push_back("only tests below " + in_quotes(start) + " are run: other test folders are not in it");
  }
  // Without an empty suffix the suite's name ends in the time of day, and every run has tests of its own.
  command.insert(command.end(), {"--output-file", "{junit}", "--outsuffix", ""});
  need_module(search, python, "xmlrunner", "unittest-xml-reporting", found);
  search.found.push_back(std::move(found));
}

}  // namespace

void find_python(FrameworkSearch& search) {
  for (const auto& [folder, signs] : read_projects(search)) {
    if (!signs.pytest.empty() && !search.covered(Framework::pytest, folder)) add_pytest(search, folder, signs);
    const bool by_pytest = search.covered(Framework::pytest, folder);  // which runs unittest's classes, too
    if (!signs.unittest.empty() && !by_pytest && !search.covered(Framework::unittest, folder))
      add_unittest(search, folder, signs);
  }
}

}  // namespace flakestat::env
