// A run's failures as the annotations of a GitHub workflow.
#pragma once

#include <string>
#include <string_view>

#include "report/run_record.hpp"

namespace flakestat::report {

/// `::error file=...,line=...,title=<id>::<message>` for what failed, `::warning` for flaky and quarantined tests, at
/// most kMostAnnotations of each: GitHub shows fewer. `prefix`: from the repository's root to the run's.
[[nodiscard]] std::string run_annotations(const RunRecord& record, std::string_view prefix);

inline constexpr std::size_t kMostAnnotations = 50;

}  // namespace flakestat::report
