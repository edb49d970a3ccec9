#include "env/pytest_projects.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.hpp"

namespace flakestat::env {
namespace {

class PytestProjects : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const auto file = dir_.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::vector<std::string> found() { return pytest_projects(ProjectTree::read(dir_.path().string())); }

  testing::TempDir dir_;
};

TEST_F(PytestProjects, EveryFolderWithAConfigurationIsOne) {
  write("a/pytest.ini", "");
  write("b/pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n");
  write("libs/c/setup.cfg", "[tool:pytest]\n");
  write("libs/d/tox.ini", "[tox]\n");
  write("libs/e/pyproject.toml", "# [tool.pytest.ini_options]\n");
  EXPECT_EQ(found(), (std::vector<std::string>{"a", "b", "libs/c"}));
}

TEST_F(PytestProjects, AConfiguredRootIsTheOnlyOne) {
  write("pytest.ini", "[pytest]\n");
  write("a/pytest.ini", "[pytest]\n");
  EXPECT_EQ(found(), std::vector<std::string>{""});
}

TEST_F(PytestProjects, OneInsideAnotherBelongsToThatOne) {
  write("a/pytest.ini", "[pytest]\n");
  write("a/sub/pytest.ini", "[pytest]\n");
  EXPECT_EQ(found(), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace flakestat::env
