// Which observations say the same thing again (design, section 3: equal exec_keys).
#pragma once

#include <cstdint>
#include <vector>

#include "stats/observation_store.hpp"

namespace flakestat::stats {

/// Record numbers to leave out, ascending: of equal exec_keys the smallest ts, then the smallest run_id, counts (then
/// the order by content, so that input order never decides). Lines without a key always count.
[[nodiscard]] std::vector<std::uint32_t> find_duplicates(const ObservationStore& store);

}  // namespace flakestat::stats
