// What a number of runs can and cannot show: rates ruled out, runs needed, intervals (docs/scoring.md, sections 9, 12).
// Pure functions; rates are in [0, 1].
#pragma once

#include <cstdint>

namespace flakestat::stats {

/// A range of rates.
struct Interval {
  double lower = 0;
  double upper = 1;
};

/// U = 1 - 0.05^(1/clean): after so many clean executions, rates above U are ruled out at 95 %. 1 when there are none.
[[nodiscard]] double ruled_out_above(std::uint64_t clean);

/// N(p0, alpha): clean runs that rule out rates of `rate` and more. 0 when alpha >= 1; capped at 2^53 for tiny rates.
[[nodiscard]] std::uint64_t runs_to_rule_out(double rate, double alpha = 0.05);

/// Further clean runs needed after `clean` of them.
[[nodiscard]] std::uint64_t further_runs(double rate, std::uint64_t clean, double alpha = 0.05);

/// Interval for a rate after `failures` in `runs`, valid at every look: {p : K(p) < 1/alpha}. Use it when the data
/// decided when to stop.
[[nodiscard]] Interval interval_under_stopping(std::uint64_t failures, std::uint64_t runs, double alpha = 0.05);

/// The exact (Clopper-Pearson) interval for a number of runs fixed beforehand.
[[nodiscard]] Interval exact_interval(std::uint64_t failures, std::uint64_t runs, double alpha = 0.05);

/// Regularised incomplete beta function I_x(a, b), a and b > 0.
[[nodiscard]] double incomplete_beta(double x, double a, double b);

}  // namespace flakestat::stats
