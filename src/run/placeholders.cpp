#include "run/placeholders.hpp"

#include <algorithm>
#include <array>

namespace flakestat::run {

std::string fill(std::string_view text, std::span<const Filling> fillings) {
  std::string out;
  while (!text.empty()) {
    const auto found = std::find_if(fillings.begin(), fillings.end(),
                                    [&](const Filling& each) { return text.starts_with(each.first); });
    if (found == fillings.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += found->second;
      text.remove_prefix(found->first.size());
    }
  }
  return out;
}

std::string expand_run(std::string_view text, int run) {
  const auto number = std::to_string(run);
  return fill(text, std::array{Filling{kRunPlaceholder, number}});
}

std::vector<std::string> expand_command(const std::vector<std::string>& command, int run, const std::string& junit) {
  const auto number = std::to_string(run);
  const std::array fillings{Filling{kRunPlaceholder, number}, Filling{kJunitPlaceholder, junit}};
  std::vector<std::string> argv;
  argv.reserve(command.size());
  for (const auto& argument : command) argv.push_back(fill(argument, fillings));
  return argv;
}

std::vector<std::string> without_junit(const std::vector<std::string>& argv, const std::string& junit) {
  if (junit.empty()) return argv;
  std::vector<std::string> command;
  command.reserve(argv.size());
  const std::array fillings{Filling{junit, kJunitPlaceholder}};
  for (const auto& argument : argv) command.push_back(fill(argument, fillings));
  return command;
}

bool uses_junit(const std::vector<std::string>& command) {
  return std::any_of(command.begin(), command.end(),
                     [](const auto& argument) { return argument.find(kJunitPlaceholder) != std::string::npos; });
}

}  // namespace flakestat::run
