// Names that change with every run (a seed in the suite's name): every run looks like new tests. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/test_score.hpp"
#include "rules/run_book.hpp"

namespace flakestat::rules {

struct ChangingNames {
  std::uint64_t seen_once = 0;  ///< ids of those shapes that only one run has
  std::string before;           ///< an example: display name in the earlier run
  std::string after;            ///< and in the newest
};

/// Compares the newest run of `branch` with the one before it: tests that only it has, against tests that only the
/// other has, paired by name_shape of suite, class and name. Changing are names when at least half of the newest
/// run's tests have such a partner, or when a shape has had other names in each of the last four runs. A first run, a
/// growing suite and a renamed test alarm nobody. `tests`: the scored tests, for their names.
[[nodiscard]] std::optional<ChangingNames> find_changing_names(const RunBook& book, const std::string& branch,
                                                               std::span<const TestScore> tests);

}  // namespace flakestat::rules
