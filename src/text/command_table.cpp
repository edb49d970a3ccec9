#include "text/command_table.hpp"

namespace flakestat::text {

std::string joined_path(const CommandEntry& command, char between) {
  std::string out;
  for (const auto& word : command.path) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

}  // namespace flakestat::text
