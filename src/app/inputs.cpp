#include "app/inputs.hpp"

#include <set>

#include "sys/glob.hpp"

namespace flakestat::app {

Inputs find_inputs(const std::vector<std::string>& arguments) {
  Inputs inputs;
  std::set<std::string> seen;
  for (const auto& argument : arguments) {
    if (argument == "-") {
      if (seen.insert(argument).second) inputs.files.push_back({argument, true});
      continue;
    }
    auto found = sys::expand_glob(argument);
    if (!found) {
      inputs.missing.push_back(found.error());
      continue;
    }
    for (auto& note : found->notes) inputs.notes.push_back(std::move(note));
    for (auto& path : found->paths) {
      if (seen.insert(path).second) inputs.files.push_back({std::move(path), !found->was_pattern});
    }
  }
  return inputs;
}

}  // namespace flakestat::app
