// The outside world of one invocation, handed in by `cli` so that tests can hand in another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/timestamp.hpp"

namespace flakestat::app {

/// Columns and rows of the terminal on which live text stands.
struct LiveArea {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// What a use case may see and where it speaks. stdout carries the document, stderr the talk.
struct World {
  std::function<std::optional<std::string>(std::string_view)> env;  ///< one variable by name
  std::vector<std::string> own_variables;  ///< names of set variables that start with FLAKESTAT_
  std::string directory;                   ///< the working directory, absolute
  std::function<UnixMillis()> now;
  std::function<Result<void>(std::string_view)> out;  ///< raw bytes of the document
  std::function<void(std::string_view)> note;         ///< one line of talk: notes, silenced by --quiet
  std::function<void(std::string_view)> warn;         ///< one line of talk that --quiet does not silence
  std::function<void(std::string_view)>
      progress;                         ///< live line or lines; empty text clears them; a no-op off terminals
  std::function<LiveArea()> live_area;  ///< asked each time: a window may change; set with live_progress
  bool live_progress = false;           ///< somebody sees `progress`
  bool out_is_terminal = false;
  bool color = false;
  int width = 0;  ///< columns of the terminal on stdout; 0: no terminal
  bool verbose = false;
};

}  // namespace flakestat::app
