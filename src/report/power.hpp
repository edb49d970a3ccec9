// What an amount of data could not have shown (docs/scoring.md, sections 5, 9 and 12).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/test_score.hpp"

namespace flakestat::report {

/// U = 1 - 0.05^(1/n): failure rates above it are ruled out at 95 % by n clean runs; 1 for none.
[[nodiscard]] double ruled_out_above(std::uint64_t clean_runs);

/// N = ceil(ln 0.05 / ln(1-p)): the clean runs that rule out rates of p and more at 95 %. p in (0, 1).
[[nodiscard]] std::uint64_t runs_to_rule_out(double rate);

/// The clean runs behind the tests that are called stable.
struct Power {
  std::uint64_t executions = 0;  ///< of all tests, skips excluded
  std::uint64_t stable_tests = 0;
  std::uint64_t clean_runs = 0;  ///< of the stable tests: the median, the lower one of two
  bool uniform = true;           ///< every stable test has as many
};

[[nodiscard]] Power measure_power(std::span<const TestScore> tests);

/// One sentence: the last line of every report.
[[nodiscard]] std::string power_line(const Power& power);

}  // namespace flakestat::report
