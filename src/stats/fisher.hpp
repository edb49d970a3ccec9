// Fisher's exact test and the control of false discoveries among several of them.
#pragma once

#include <cstdint>
#include <vector>

namespace flakestat::stats {

/// One-sided: the chance that at least `hits` of `group` observations failed when `failures` of `total` did and the
/// group had nothing to do with it (hypergeometric; Boost.Math). 1 for counts that cannot be.
[[nodiscard]] double fisher_at_least(std::uint64_t hits, std::uint64_t group, std::uint64_t failures,
                                     std::uint64_t total);

/// Benjamini and Hochberg's q of each p, in the order given: accepting q <= x keeps the expected share of false
/// discoveries at or below x.
[[nodiscard]] std::vector<double> false_discovery_rates(const std::vector<double>& p_values);

}  // namespace flakestat::stats
