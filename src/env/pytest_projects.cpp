#include "env/pytest_projects.hpp"

#include <algorithm>
#include <utility>

#include "env/framework_search.hpp"

namespace flakestat::env {
namespace {

// In the order in which pytest looks; a pytest.ini counts even when it is empty.
constexpr std::pair<std::string_view, std::string_view> kConfigurations[] = {{"pytest.toml", ""},
                                                                             {".pytest.toml", ""},
                                                                             {"pytest.ini", ""},
                                                                             {".pytest.ini", ""},
                                                                             {"pyproject.toml", "[tool.pytest"},
                                                                             {"tox.ini", "[pytest]"},
                                                                             {"setup.cfg", "[tool:pytest]"}};

bool is_project(const ProjectTree& tree, const std::string& folder) {
  return std::any_of(std::begin(kConfigurations), std::end(kConfigurations), [&](const auto& configuration) {
    const auto path = joined(folder, configuration.first);
    if (!tree.has(path)) return false;
    return configuration.second.empty() || contains(without_comments(tree.text(path)), configuration.second);
  });
}

}  // namespace

std::vector<std::string> pytest_projects(const ProjectTree& tree) {
  std::vector<std::string> projects;
  for (const auto& folder : tree.folders()) {
    const bool inside = std::any_of(projects.begin(), projects.end(),
                                    [&](const auto& project) { return lies_in(folder.path, project); });
    if (!inside && is_project(tree, folder.path)) projects.push_back(folder.path);
  }
  std::sort(projects.begin(), projects.end());
  return projects;
}

}  // namespace flakestat::env
