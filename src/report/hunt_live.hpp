// The live block of a hunt: some lines that are redrawn in place on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/style.hpp"

namespace flakestat::report {

/// A test that has passed and failed.
struct LiveTest {
  std::string name;  ///< display name, as a report had it
  std::uint64_t passes = 0;
  std::uint64_t fails = 0;
};

struct LiveHunt {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::uint64_t failing = 0;  ///< runs
  std::uint64_t running = 0;
  std::optional<std::int64_t> eta_ms;
  std::optional<std::int64_t> run_ms;  ///< what a run takes
  std::vector<LiveTest> disagreeing;   ///< in the order in which they are to be shown; the first kMostLiveTests do
  std::size_t others = 0;              ///< disagreeing tests that are not among them
};

/// So many tests are named.
inline constexpr std::size_t kMostLiveTests = 5;

/// `run 12/59  3 failing  ETA 1m20s  (4.2s a run)`, then the first five tests as `  a::b  10 P 2 F` and how many more
/// there are. Lines are cut to the look's width, names in their middle, and are at most `rows`; 0: any number. No line
/// end at the end. Escaped for a terminal.
[[nodiscard]] std::string live_block(const LiveHunt& hunt, const text::Look& look, std::size_t rows = 0);

}  // namespace flakestat::report
