// Text as lines, for tests that look at each.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace flakestat::testing {

/// Without the line ends.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace flakestat::testing
