// A test that always failed, passed once, and fails again: flaky, but nobody's new flake. Pure.
#pragma once

#include <cstdint>
#include <set>

#include "rules/run_book.hpp"

namespace flakestat::rules {

/// Which of `candidates` (test numbers) are known failures: in every branch and environment where the test disagreed
/// with itself its newest stretch is at least five failures in a row, then single passes among failures, five failures
/// or more for each pass. Two passes in a row end such a stretch: then the test was repaired. Outages do not count.
[[nodiscard]] std::set<std::uint32_t> known_failures(const RunBook& book, const std::set<std::uint32_t>& candidates);

}  // namespace flakestat::rules
