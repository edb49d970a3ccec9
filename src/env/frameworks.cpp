#include "env/frameworks.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/strings.hpp"
#include "env/framework_search.hpp"
#include "sys/capture.hpp"

namespace flakestat::env {
namespace {

constexpr std::chrono::milliseconds kQueryTimeout{20'000};

constexpr std::array<std::pair<Framework, std::string_view>, 19> kNames = {{
    {Framework::pytest, "pytest"},     {Framework::unittest, "unittest"},   {Framework::go_test, "go"},
    {Framework::nextest, "nextest"},   {Framework::cargo_test, "cargo"},    {Framework::maven, "maven"},
    {Framework::gradle, "gradle"},     {Framework::vitest, "vitest"},       {Framework::jest, "jest"},
    {Framework::mocha, "mocha"},       {Framework::node_test, "node-test"}, {Framework::playwright, "playwright"},
    {Framework::ctest, "ctest"},       {Framework::dotnet, "dotnet"},       {Framework::rspec, "rspec"},
    {Framework::minitest, "minitest"}, {Framework::phpunit, "phpunit"},     {Framework::bats, "bats"},
    {Framework::bazel, "bazel"},
}};

bool on_path(std::string_view path, std::string_view program) {
  for (const auto folder : split(path, ':')) {
    const auto candidate = (folder.empty() ? std::string(".") : std::string(folder)) + "/" + std::string(program);
    if (::access(candidate.c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace

std::string_view to_string(Framework framework) {
  const auto* found =
      std::find_if(kNames.begin(), kNames.end(), [framework](const auto& named) { return named.first == framework; });
  return found == kNames.end() ? std::string_view() : found->second;
}

const std::vector<Framework>& all_frameworks() {
  static const std::vector<Framework> all = [] {
    std::vector<Framework> frameworks;
    for (const auto& named : kNames) frameworks.push_back(named.first);
    return frameworks;
  }();
  return all;
}

std::optional<Framework> framework_named(std::string_view name) {
  for (const auto& named : kNames) {
    if (named.second == name) return named.first;
  }
  return std::nullopt;
}

Machine this_machine(const EnvLookup& variable) {
  Machine machine;
  machine.has_program = [path = variable("PATH").value_or("/usr/local/bin:/usr/bin:/bin")](std::string_view program) {
    return on_path(path, program);
  };
  machine.succeeds = [](const std::vector<std::string>& argv, const std::string& directory) {
    const auto query = sys::capture(argv, {directory, kQueryTimeout, std::size_t{1} << 20, {}});
    return query && query->exit_code == 0;
  };
  return machine;
}

bool FrameworkSearch::covered(Framework framework, std::string_view folder) const {
  return std::any_of(found.begin(), found.end(), [&](const FoundFramework& earlier) {
    return earlier.framework == framework && lies_in(folder, earlier.folder);
  });
}

std::string FrameworkSearch::first_of(std::string_view folder, std::initializer_list<std::string_view> names) const {
  for (const auto name : names) {
    auto path = joined(folder, name);
    if (tree.has(path)) return path;
  }
  return {};
}

std::string FrameworkSearch::owner(std::string_view folder, std::initializer_list<std::string_view> names) const {
  for (std::string at(folder);; at = parent_of(at)) {
    if (at.empty() || !first_of(at, names).empty()) return at;
  }
}

bool FrameworkSearch::exists_upward(std::string_view folder, std::string_view path) const {
  for (std::string at(folder);; at = parent_of(at)) {
    if (tree.exists(joined(at, path))) return true;
    if (at.empty()) return false;
  }
}

void FrameworkSearch::need_program(FoundFramework& framework, std::string_view program,
                                   std::string_view install) const {
  if (machine.has_program(program)) return;
  framework.missing.push_back({std::string(program) + " is not on the PATH", std::string(install)});
}

std::string below(std::string_view path, std::string_view folder) {
  if (folder.empty() || !lies_in(path, folder)) return std::string(path);
  return path == folder ? std::string() : std::string(path.substr(folder.size() + 1));
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string without_comments(std::string_view text) {
  std::string kept;
  for (const auto line : split(text, '\n')) {
    if (!trim(line).starts_with('#')) kept += ascii_lower(line) + "\n";
  }
  return kept;
}

FrameworkScan find_frameworks(const ProjectTree& tree, const Machine& machine, const std::string& state_dir) {
  FrameworkSearch search{tree, machine, state_dir};
  for (const auto find : {find_python, find_go, find_cargo, find_jvm, find_node, find_cmake, find_dotnet, find_ruby,
                          find_phpunit, find_bats, find_bazel}) {
    find(search);
  }
  // A folder's own settings tell more than files somewhere below it. Stable: what a search put first among its own (the
  // runner that the test script names) stays first.
  const auto rank = [](const FoundFramework& found) {
    return std::pair(found.folder, parent_of(found.evidence) != found.folder);
  };
  std::stable_sort(search.found.begin(), search.found.end(),
                   [&](const FoundFramework& a, const FoundFramework& b) { return rank(a) < rank(b); });
  auto notes = tree.notes();
  notes.insert(notes.end(), search.notes.begin(), search.notes.end());
  return {std::move(search.found), std::move(notes)};
}

}  // namespace flakestat::env
