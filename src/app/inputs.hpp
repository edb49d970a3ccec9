// Report files named on the command line: paths, patterns, standard input.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace flakestat::app {

struct InputFile {
  std::string path;
  bool named = true;  ///< by itself, not through a pattern: then it must be a report
};

struct Inputs {
  std::vector<InputFile> files;    ///< each once, in the order of the arguments, a pattern's matches sorted
  std::vector<Error> missing;      ///< arguments that gave nothing: never green by accident
  std::vector<std::string> notes;  ///< folders that could not be read
};

/// Expands the arguments. A file that several arguments name is read once.
[[nodiscard]] Inputs find_inputs(const std::vector<std::string>& arguments);

}  // namespace flakestat::app
