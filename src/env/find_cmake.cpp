// CTest (and with it GoogleTest, Catch2 and doctest) in CMake projects; Bazel workspaces.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "env/framework_search.hpp"

namespace flakestat::env {
namespace {

namespace fs = std::filesystem;

struct CMakeSigns {
  bool tests = false;  // CTest is told of tests somewhere below
  bool gtest = false;  // GoogleTest is used
};

CMakeSigns read_cmake(const FrameworkSearch& search, const std::string& folder) {
  CMakeSigns signs;
  for (const auto& other : search.tree.folders()) {
    if (!lies_in(other.path, folder)) continue;
    const auto text = without_comments(search.tree.text(joined(other.path, "CMakeLists.txt")));
    for (const auto* sign : {"enable_testing", "include(ctest)", "add_test(", "discover_tests("}) {
      signs.tests = signs.tests || contains(text, sign);
    }
    signs.gtest = signs.gtest || contains(text, "gtest");
  }
  return signs;
}

// Folders below `folder` that hold a configured build with tests, best first: `build` itself, then by name.
std::vector<std::string> build_folders(const FrameworkSearch& search, const std::string& folder) {
  std::vector<std::string> found;
  const auto look = [&](const std::string& at) {
    if (search.tree.exists(joined(joined(folder, at), "CTestTestfile.cmake"))) found.push_back(at);
  };
  const auto look_below = [&](const std::string& at, std::string_view prefix) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(search.tree.absolute(joined(folder, at)), error);
    for (const fs::directory_iterator end; !error && entry != end && names.size() < 1000; entry.increment(error)) {
      auto name = entry->path().filename().string();
      if (name.starts_with(prefix)) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    for (const auto& name : names) look(joined(at, name));
  };
  for (const auto* at : {"build", "_build", "builddir", "out"}) look(at);
  look_below("build", "");
  look_below("out/build", "");
  look_below("", "cmake-build-");
  return found;
}

void add_ctest(FrameworkSearch& search, const std::string& folder, const std::string& evidence) {
  const auto signs = read_cmake(search, folder);
  if (!signs.tests && !signs.gtest) return;
  FoundFramework found{Framework::ctest, folder, evidence, {}, {}, {}, {}, {}};
  if (!signs.tests) {
    found.missing.push_back({"GoogleTest is used, but CTest is not told of the tests",
                             "add enable_testing() and gtest_discover_tests(TARGET) to " + evidence});
    return search.found.push_back(std::move(found));
  }
  const auto builds = build_folders(search, folder);
  const auto build = builds.empty() ? std::string("build") : builds.front();
  // No tests at all would else be exit code 0.
  found.command = {"ctest", "--test-dir", build, "--no-tests=error", "--output-junit", "{junit}"};
  found.junit = search.report();
  if (builds.empty()) {
    found.missing.push_back({"there is no build folder with tests yet", "cmake -S . -B build && cmake --build build"});
  } else if (builds.size() > 1) {
    found.notes.push_back("of several build folders " + build + " is used; another one: " + builds[1]);
  }
  found.notes.emplace_back("build before each hunt: ctest does not");
  search.need_program(found, "ctest", "install CMake with your system's package manager");
  search.found.push_back(std::move(found));
}

}  // namespace

void find_cmake(FrameworkSearch& search) {
  std::string outermost;
  bool inside = false;
  for (const auto& folder : search.tree.folders()) {
    const auto lists = joined(folder.path, "CMakeLists.txt");
    if (!search.tree.has(lists) || (inside && lies_in(folder.path, outermost))) continue;
    outermost = folder.path;
    inside = true;
    add_ctest(search, folder.path, lists);
  }
}

void find_bazel(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) {
    const auto evidence = search.first_of(folder.path, {"MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"});
    if (evidence.empty() || search.covered(Framework::bazel, folder.path)) continue;
    const std::string program =
        !search.machine.has_program("bazel") && search.machine.has_program("bazelisk") ? "bazelisk" : "bazel";
    FoundFramework found{Framework::bazel, folder.path, evidence, {program}, "bazel-testlogs/**/test.xml", {}, {}, {}};
    // Tests see only the variables that are named, and an unchanged target would not run again.
    found.command.insert(found.command.end(),
                         {"test", "--nocache_test_results", "--test_env=FLAKESTAT_RUN", "--keep_going", "//..."});
    search.need_program(found, program, "install Bazel or Bazelisk");
    search.found.push_back(std::move(found));
  }
}

}  // namespace flakestat::env
