// The live block of a run: some lines that are redrawn in place on a terminal. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/run_event.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// A test that a worker is running.
struct LiveRunTest {
  std::string worker;  ///< empty: the framework's single process
  std::string id;
  int attempt = 0;
  std::int64_t running_ms = 0;
};

struct LiveRun {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  RunTotals totals;  ///< of the tests that are settled
  std::optional<std::int64_t> eta_ms;
  std::vector<LiveRunTest> running;
};

/// At most so many running tests are named: those that have run the longest.
inline constexpr std::size_t kMostLiveWorkers = 8;

/// `[#########---------]  45%  54/120  2 failed  ETA 12s  1 flaky`, then `  gw0  a.py::test_x  3.2s` for each running
/// test, in the order of the workers. Fits the look's width (names are cut in their middle) and `rows`; 0: any number.
/// No line end at the end. Escaped for a terminal.
[[nodiscard]] std::string live_run_block(const LiveRun& run, const text::Look& look, std::size_t rows = 0);

}  // namespace flakestat::report
