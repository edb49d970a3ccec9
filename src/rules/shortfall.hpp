// Tests that a run should have had: those of the run before it in the same place. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/run_book.hpp"

namespace flakestat::rules {

/// Tests that the newest comparable run before `run` had and `run` has not, ascending. Compared within one branch and
/// environment, job with job (the shards of a run are one): two jobs are of a kind when the earlier one has at least
/// half of the tests of the later one. Hunts, outages, damaged reports and runs that selected tests are no measure, and
/// a hunt is not measured.
[[nodiscard]] std::vector<std::uint32_t> find_shortfall(const RunBook& book, std::uint32_t run);

}  // namespace flakestat::rules
