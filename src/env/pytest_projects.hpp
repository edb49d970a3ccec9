// Several pytest projects below one folder, each with a configuration of its own.
#pragma once

#include <string>
#include <vector>

#include "env/project_tree.hpp"

namespace flakestat::env {

/// The folders, relative to the tree's root, that hold a configuration of pytest (`pytest.ini`, or its section in
/// pyproject.toml, tox.ini or setup.cfg) and are in no other such folder; sorted. Only the root when it has one itself:
/// then pytest started there uses that one for all.
[[nodiscard]] std::vector<std::string> pytest_projects(const ProjectTree& tree);

}  // namespace flakestat::env
