// How far a hunt is and when it may be over: plain numbers for a renderer. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <span>

namespace flakestat::run {

struct HuntProgress {
  int total = 0;
  int done = 0;
  int running = 0;
  int failed = 0;                                      ///< runs with a failing case, or that failed themselves
  std::chrono::milliseconds elapsed{0};                ///< since the hunt began
  std::optional<std::chrono::milliseconds> remaining;  ///< nothing before the first run is over
  std::optional<double> runs_per_minute;
  std::optional<std::chrono::milliseconds> run;  ///< what a run takes: the median of the last ones

  friend bool operator==(const HuntProgress&, const HuntProgress&) = default;
};

struct ProgressFacts {
  int total = 0;
  int failed = 0;
  std::chrono::milliseconds elapsed{0};                  ///< since the hunt began
  std::chrono::milliseconds elapsed_in_current{0};       ///< since the current run began
  std::span<const std::chrono::milliseconds> durations;  ///< of the runs that are over, in order
  int running = 0;
  int parallel = 1;                                   ///< runs at the same time
  std::span<const std::chrono::milliseconds> pace{};  ///< of the latest runs of the kind to come; empty: `durations`
};

/// The median of the last 20 durations: one outlier (a cold cache, a time-out) moves it little. There must be one.
[[nodiscard]] std::chrono::milliseconds typical_duration(std::span<const std::chrono::milliseconds> durations);

/// `remaining` is the median of the last 20 durations for each run to come, less what the current one has used (at
/// least nothing): one outlier (a cold cache, a time-out) moves it little.
[[nodiscard]] HuntProgress progress_of(const ProgressFacts& facts);

}  // namespace flakestat::run
