// The commit order: what the tests ran against, oldest first, over all branches (design, section 4, Time).
#pragma once

#include <cstdint>
#include <vector>

#include "stats/batches.hpp"

namespace flakestat::stats {

struct Codes {
  std::vector<std::uint32_t> of_group;  ///< position in commit order; kNone for a group without kept observations
  std::uint32_t count = 0;
};

/// A branch's codes are ordered by ci.run_number where all of them have one, else by first appearance in time, ties by
/// run_id. A code belongs to the branch that saw it first. Branches are merged by first appearance, each in its own
/// order. Without commit and code every run is a code of its own.
[[nodiscard]] Codes order_codes(const ObservationStore& store, const Batches& batches);

}  // namespace flakestat::stats
