// How often commits break tests of this project (docs/scoring.md, section 7).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "stats/bayes_filter.hpp"

namespace flakestat::stats {

/// A fixed rate, or one learnt in fold order: a job uses what the jobs before it have shown.
class BreakRate {
 public:
  explicit BreakRate(std::optional<double> fixed) : fixed_(fixed) {}

  void add(const BreakSample& sample) {
    if (!sample.counts) return;
    ++updates_;
    broke_ += sample.broke;
  }
  [[nodiscard]] double current() const {
    if (fixed_) return std::clamp(*fixed_, 0.0, 1.0);
    return std::clamp((1 + broke_) / (333 + static_cast<double>(updates_)), 0.001, 0.03);
  }

 private:
  std::optional<double> fixed_;
  std::uint64_t updates_ = 0;  ///< C
  double broke_ = 0;           ///< S
};

}  // namespace flakestat::stats
