#include "run/placeholders.hpp"

#include <algorithm>

namespace flakestat::run {
namespace {

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string out;
  for (;;) {
    const auto at = text.find(what);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += by;
    text.remove_prefix(at + what.size());
  }
}

}  // namespace

std::string expand_run(std::string_view text, int run) { return replaced(text, kRunPlaceholder, std::to_string(run)); }

std::vector<std::string> expand_command(const std::vector<std::string>& command, int run, const std::string& junit) {
  std::vector<std::string> argv;
  argv.reserve(command.size());
  // {run} first: a report path that happens to hold the text `{run}` is already what it should be.
  for (const auto& argument : command) argv.push_back(replaced(expand_run(argument, run), kJunitPlaceholder, junit));
  return argv;
}

std::vector<std::string> without_junit(const std::vector<std::string>& argv, const std::string& junit) {
  if (junit.empty()) return argv;
  std::vector<std::string> command;
  command.reserve(argv.size());
  for (const auto& argument : argv) command.push_back(replaced(argument, junit, kJunitPlaceholder));
  return command;
}

bool uses_junit(const std::vector<std::string>& command) {
  return std::any_of(command.begin(), command.end(),
                     [](const auto& argument) { return argument.find(kJunitPlaceholder) != std::string::npos; });
}

}  // namespace flakestat::run
