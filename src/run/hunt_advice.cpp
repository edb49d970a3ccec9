#include "run/hunt_advice.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace flakestat::run {
namespace {

using Command = std::vector<std::string>;

bool has(const Command& command, std::string_view argument) {
  return std::find(command.begin(), command.end(), argument) != command.end();
}

bool has_prefix(const Command& command, std::string_view prefix) {
  return std::any_of(command.begin(), command.end(), [&](const auto& each) { return each.starts_with(prefix); });
}

std::string program(const Command& command) {
  return command.empty() ? "" : std::filesystem::path(command.front()).filename().string();
}

// gotestsum --raw-command starts what it is given, a built test binary say, and no `go test` of its own.
bool may_answer_from_go_cache(const Command& command) {
  const auto name = program(command);
  if (name == "gotestsum" && has(command, "--raw-command")) return false;
  return (name == "gotestsum" || (name == "go" && has(command, "test"))) && !has_prefix(command, "-count") &&
         !has_prefix(command, "--count") && !has_prefix(command, "-test.count");
}

bool may_be_up_to_date(const Command& command) {
  const auto name = program(command);
  return (name == "gradle" || name == "gradlew") && !has(command, "--rerun-tasks") && !has(command, "--rerun") &&
         !has_prefix(command, "clean");
}

}  // namespace

std::vector<std::string> hunt_advice(const Command& command) {
  std::vector<std::string> advice;
  if (may_answer_from_go_cache(command)) {
    advice.emplace_back("go answers passing packages from its cache without running them: add -count=1");
  }
  if (may_be_up_to_date(command)) {
    advice.emplace_back("gradle does not run an up-to-date test task again: add --rerun-tasks or cleanTest");
  }
  return advice;
}

}  // namespace flakestat::run
