#include "adapters/pytest_command.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace flakestat::adapters {
namespace {

using Words = std::vector<std::string>;

struct Place {
  std::set<std::string> programs{"/usr/bin/python3", "/usr/bin/pytest"};
  std::map<std::string, std::string> first_lines{{"/usr/bin/pytest", "#!/usr/bin/python3"}};
  std::map<std::string, std::string, std::less<>> variables{{"PATH", "/usr/bin"}};
  std::optional<std::string> python;

  [[nodiscard]] PythonSearch search() const {
    PythonSearch search;
    search.python = python;
    search.directory = "/home/me/project/sub";
    search.env = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    search.is_program = [this](const std::string& path) { return programs.contains(path); };
    search.first_line = [this](const std::string& path) {
      const auto found = first_lines.find(path);
      return found == first_lines.end() ? std::string() : found->second;
    };
    return search;
  }
};

PytestCommand recognised(const Place& place, const Words& command) {
  const auto found = recognise_pytest(command, place.search());
  EXPECT_TRUE(found) << found.error().message;
  EXPECT_TRUE(*found);
  return **found;
}

TEST(PytestCommand, OtherCommandsAreNotPytest) {
  const Place place;
  for (const Words& command : std::vector<Words>{{},
                                                 {"make", "test"},
                                                 {"python3", "-m", "unittest"},
                                                 {"python3", "t.py", "-m", "pytest"},
                                                 {"python3", "-c", "import pytest"},
                                                 {"pytest-3"},
                                                 {"pythonista", "-m", "pytest"}}) {
    const auto found = recognise_pytest(command, place.search());
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found) << testing::PrintToString(command);
  }
}

TEST(PytestCommand, AModuleIsRunByTheInterpreterThatTheCommandNames) {
  const auto found = recognised({}, {"python3.11", "-X", "dev", "-W", "error", "-I", "-m", "pytest", "-q", "tests"});
  EXPECT_EQ(found.python, (Words{"python3.11", "-X", "dev", "-W", "error", "-I"}));
  EXPECT_EQ(found.args, (Words{"-q", "tests"}));
  EXPECT_EQ(found.path0, "") << "the working directory, as with -m";
}

TEST(PytestCommand, AScriptIsRunByTheInterpreterOfItsFirstLine) {
  Place place;
  place.programs.insert({"/opt/v/bin/pytest", "/opt/v/bin/python"});
  place.first_lines["/opt/v/bin/pytest"] = "#!/opt/v/bin/python";
  const auto found = recognised(place, {"/opt/v/bin/pytest", "-x"});
  EXPECT_EQ(found.python, Words{"/opt/v/bin/python"});
  EXPECT_EQ(found.argv0, "/opt/v/bin/pytest");
  EXPECT_EQ(found.path0, "/opt/v/bin");
}

TEST(PytestCommand, AShellScriptInFrontOfPythonIsPassedBy) {
  Place place;
  place.first_lines["/usr/bin/pytest"] = "#!/usr/bin/env bash";
  EXPECT_EQ(recognised(place, {"pytest"}).python, Words{"/usr/bin/python3"});
}

TEST(PytestCommand, TheInterpreterIsLookedForInOrder) {
  Place place;
  EXPECT_EQ(recognised(place, {"pytest"}).python, Words{"/usr/bin/python3"}) << "PATH";
  place.programs.insert("/home/me/project/.venv/bin/python");
  EXPECT_EQ(recognised(place, {"pytest"}).python, Words{"/home/me/project/.venv/bin/python"}) << ".venv upwards";
  place.programs.insert("/venv/bin/python");
  place.variables["VIRTUAL_ENV"] = "/venv";
  EXPECT_EQ(recognised(place, {"pytest"}).python, Words{"/venv/bin/python"}) << "VIRTUAL_ENV";
  place.python = "/said/python";
  EXPECT_EQ(recognised(place, {"pytest"}).python, Words{"/said/python"}) << "--python";
  EXPECT_EQ(recognised(place, {"python3", "-m", "pytest"}).python, Words{"/said/python"}) << "--python";
}

TEST(PytestCommand, NoPythonAtAllSaysWhereItWasLookedFor) {
  Place place;
  place.programs.clear();
  const auto found = recognise_pytest({"pytest"}, place.search());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::missing);
  EXPECT_NE(found.error().message.find("--python"), std::string::npos);
}

TEST(PytestCommand, OptionsThatNeedTheTerminalNeedOneProcess) {
  for (const Words& args : std::vector<Words>{{"-s"},
                                              {"-xs"},
                                              {"-vvs", "tests"},
                                              {"--capture=no"},
                                              {"--capture", "no"},
                                              {"--pdb"},
                                              {"--co"},
                                              {"-q", "--collect-only"},
                                              {"--sw"},
                                              {"--fixtures"},
                                              {"-h"},
                                              {"--version"}}) {
    EXPECT_NE(needs_one_process(args), "") << testing::PrintToString(args);
  }
  for (const Words& args : std::vector<Words>{{},
                                              {"-x", "-q"},
                                              {"-ksomething"},
                                              {"-k", "-s"},
                                              {"-rs"},
                                              {"-r", "s"},
                                              {"-p", "no:s"},
                                              {"--capture=sys"},
                                              {"--cov"},
                                              {"tests/s"}}) {
    EXPECT_EQ(needs_one_process(args), "") << testing::PrintToString(args);
  }
}

TEST(PytestCommand, WorkersAskedOfXdistAreFound) {
  EXPECT_EQ(asked_workers({"-n", "4"}), "4");
  EXPECT_EQ(asked_workers({"-qn4", "tests"}), "4");
  EXPECT_EQ(asked_workers({"-nauto"}), "auto");
  EXPECT_EQ(asked_workers({"--numprocesses=2"}), "2");
  EXPECT_EQ(asked_workers({"-k", "-n 3"}), "");
}

}  // namespace
}  // namespace flakestat::adapters
