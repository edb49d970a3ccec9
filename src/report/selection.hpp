// Which tests a report shows, and how many it leaves out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "report/family.hpp"
#include "report/options.hpp"

namespace flakestat::report {

/// One line of a report: a test, or a family with those of its members that are shown.
struct Entry {
  const TestScore* test = nullptr;  ///< set without families
  std::optional<Family> family;     ///< set with them; `shown` are its members worth a row, worst first
  std::vector<const TestScore*> shown;
};

struct Selection {
  std::vector<Entry> entries;      ///< worst first
  std::size_t beyond_top = 0;      ///< entries that --top cut off
  std::size_t below_severity = 0;  ///< tests that --threshold left out
};

/// Rows by default: flaky, suspect, consistently failing. Consistently failing tests are never left out, neither by
/// `top` nor by `severity`. The entries point into `tests`.
[[nodiscard]] Selection select_entries(std::span<const TestScore> tests, const ReportOptions& options);

/// The tests of the entries, worst first also across families.
[[nodiscard]] std::vector<const TestScore*> shown_tests(const Selection& selection);

}  // namespace flakestat::report
