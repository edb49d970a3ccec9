// Maven, Gradle and .NET: the build tool runs the tests and leaves a report per class or project.
#include <utility>

#include "base/strings.hpp"
#include "env/framework_search.hpp"

namespace flakestat::env {
namespace {

// The project's own launcher before the machine's.
std::string launcher(const FrameworkSearch& search, const std::string& folder, std::string_view wrapper,
                     std::string_view program) {
  if (search.tree.has(joined(folder, wrapper))) return "./" + std::string(wrapper);
  return std::string(program);
}

void need_launcher(const FrameworkSearch& search, FoundFramework& found) {
  const auto& program = found.command.front();
  if (!program.starts_with("./")) search.need_program(found, program, "install it with your system's package manager");
}

void add_maven(FrameworkSearch& search, const std::string& folder, const std::string& evidence) {
  FoundFramework found{Framework::maven, folder, evidence, {launcher(search, folder, "mvnw", "mvn")}, {}, {}, {}, {}};
  found.command.insert(found.command.end(), {"-q", "-B", "test"});
  found.junit = "target/surefire-reports/TEST-*.xml";
  if (contains(search.tree.text(evidence), "<modules>")) {
    // A failing module must not keep those that depend on it from running: the reports tell the failures.
    found.command.emplace_back("-Dmaven.test.failure.ignore=true");
    found.junit = "**/" + found.junit;
  }
  need_launcher(search, found);
  search.found.push_back(std::move(found));
}

void add_gradle(FrameworkSearch& search, const std::string& folder, const std::string& evidence) {
  FoundFramework found{
      Framework::gradle, folder, evidence, {launcher(search, folder, "gradlew", "gradle")}, {}, {}, {}, {}};
  // An up-to-date or cached test task would not run again.
  found.command.insert(found.command.end(), {"--continue", "--no-build-cache", "cleanTest", "test"});
  found.junit = "**/build/test-results/test/TEST-*.xml";
  need_launcher(search, found);
  search.found.push_back(std::move(found));
}

bool is_dotnet_project(std::string_view name) {
  return name.ends_with(".csproj") || name.ends_with(".fsproj") || name.ends_with(".vbproj");
}

// The folder of the solution that a project belongs to, else its own.
std::string solution_of(const FrameworkSearch& search, const std::string& folder) {
  for (std::string at = folder;; at = parent_of(at)) {
    for (const auto& other : search.tree.folders()) {
      if (other.path != at) continue;
      for (const auto& name : other.files) {
        if (name.ends_with(".sln") || name.ends_with(".slnx")) return at;
      }
    }
    if (at.empty()) return folder;
  }
}

void add_dotnet(FrameworkSearch& search, const std::string& project_folder, const std::string& project) {
  const auto folder = solution_of(search, project_folder);
  if (search.covered(Framework::dotnet, folder)) return;
  FoundFramework found{Framework::dotnet, folder, project, {"dotnet", "test", "--logger"}, {}, {}, {}, {}};
  found.command.emplace_back("junit;LogFilePath=TestResults/{assembly}.junit.xml");
  found.junit = "**/TestResults/*.junit.xml";
  const auto packages = search.tree.text(project) + search.tree.text(joined(folder, "Directory.Packages.props")) +
                        search.tree.text(joined(folder, "Directory.Build.props"));
  if (!contains(packages, "JunitXml.TestLogger")) {
    found.missing.push_back({"the package JunitXml.TestLogger is not referenced by " + project,
                             "dotnet add " + below(project, folder) + " package JunitXml.TestLogger"});
  }
  search.need_program(found, "dotnet", "install the .NET SDK");
  search.found.push_back(std::move(found));
}

}  // namespace

void find_jvm(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) {
    const auto pom = joined(folder.path, "pom.xml");
    if (search.tree.has(pom) && !search.covered(Framework::maven, folder.path)) add_maven(search, folder.path, pom);
    const auto gradle =
        search.first_of(folder.path, {"settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"});
    if (!gradle.empty() && !search.covered(Framework::gradle, folder.path)) add_gradle(search, folder.path, gradle);
  }
}

void find_dotnet(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) {
    for (const auto& name : folder.files) {
      const auto path = joined(folder.path, name);
      if (is_dotnet_project(name) && contains(search.tree.text(path), "Microsoft.NET.Test.Sdk"))
        add_dotnet(search, folder.path, path);
    }
  }
}

}  // namespace flakestat::env
