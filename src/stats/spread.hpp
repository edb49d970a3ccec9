// The middle of a set of numbers and how far it spreads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace flakestat::stats {

/// Quartiles by nearest rank: each is one of the numbers. All 0 of none.
struct Spread {
  std::uint64_t count = 0;
  std::int64_t lower_quartile = 0;
  std::int64_t median = 0;
  std::int64_t upper_quartile = 0;
};

[[nodiscard]] inline Spread spread_of(std::vector<std::int64_t> values) {
  Spread out;
  out.count = values.size();
  if (values.empty()) return out;
  std::sort(values.begin(), values.end());
  const auto quantile = [&values](std::size_t quarters) { return values[(values.size() * quarters + 3) / 4 - 1]; };
  out.lower_quartile = quantile(1);
  out.median = quantile(2);
  out.upper_quartile = quantile(3);
  return out;
}

}  // namespace flakestat::stats
