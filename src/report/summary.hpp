// How many tests have which verdict.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/test_score.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {

struct VerdictCounts {
  std::uint64_t total = 0;
  std::uint64_t flaky = 0;
  std::uint64_t suspect = 0;
  std::uint64_t stable = 0;
  std::uint64_t consistently_failing = 0;
  std::uint64_t insufficient_data = 0;
  std::uint64_t always_skipped = 0;
};

[[nodiscard]] VerdictCounts count_verdicts(std::span<const TestScore> tests);

/// `1 flaky, 0 suspect, 1 consistently failing, 1 stable, 1 unscored (of 4 tests)`.
[[nodiscard]] std::string summary_line(const VerdictCounts& counts);

/// The `summary` object of the documents.
void write_summary(text::JsonWriter& json, const VerdictCounts& counts);

}  // namespace flakestat::report
