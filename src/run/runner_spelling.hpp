// How each runner whose command line selects tests spells one, so that it runs that test and, as far as the runner can
// be told, nothing else. Pure; what each form was found to reach is in docs/run-generic.md.
#pragma once

#include <string>
#include <string_view>

#include "model/runner_names.hpp"

namespace flakestat::run {

struct RunnerSpelling {
  std::string_view word;  ///< as --id names it
  RunnerName (*name)(const TestNames&);
  std::string_view join;  ///< between tests inside one argument
  bool one_argument;      ///< it takes all in one, and a name cannot hold `join`: it is escaped there, or refused
};

/// Nothing for a word that is none.
[[nodiscard]] const RunnerSpelling* runner_spelling(std::string_view word);

/// The words, for messages: `pytest, unittest, ... or maven`.
[[nodiscard]] std::string spelled_runners();

}  // namespace flakestat::run
