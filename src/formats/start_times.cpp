#include "formats/start_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace flakestat::formats {
namespace {

constexpr UnixMillis kMinute = 60'000;
constexpr UnixMillis kLocalWindow = 15 * kMinute;
constexpr UnixMillis kAheadLimit = 5 * kMinute;
// Durations are rounded, file systems and reports count in whole seconds.
constexpr UnixMillis kRoundingSlack = 2'000;
constexpr double kLongestDuration = 1e12;

// Cases in a row with one suite and one stamp.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::optional<UnixMillis> stamp;
  bool local = false;
  std::optional<double> total_ms = 0.0;  // of all durations, when all are known
};

bool continues(const Run& run, const Case& first, const Case& next) {
  return run.stamp == next.started && run.local == next.started_is_local && first.suite == next.suite;
}

// A skipped case without a time did not take any.
std::optional<double> duration(const Case& c) {
  if (c.duration_ms && !std::isnan(*c.duration_ms)) return std::clamp(*c.duration_ms, 0.0, kLongestDuration);
  return c.status == Status::skip ? std::optional(0.0) : std::nullopt;
}

// Also writes every case's offset in its run, in milliseconds.
std::vector<Run> find_runs(std::span<const Case> cases, std::vector<UnixMillis>& offsets) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (runs.empty() || !continues(runs.back(), cases[runs.back().begin], cases[i])) {
      runs.push_back({i, i, cases[i].started, cases[i].started_is_local, 0.0});
    }
    auto& run = runs.back();
    run.end = i + 1;
    offsets[i] = std::llround(std::min(run.total_ms.value_or(0), kLongestDuration));
    const auto took = duration(cases[i]);
    run.total_ms = run.total_ms && took ? std::optional(*run.total_ms + *took) : std::nullopt;
  }
  return runs;
}

bool near(UnixMillis a, UnixMillis b) { return a <= b + kLocalWindow && b <= a + kLocalWindow; }

// What to subtract from stamps without an offset: the zone's offset when they are local time.
UnixMillis local_shift(std::span<const Run> runs, const StartTimesContext& context) {
  const UnixMillis shift = context.local_offset_minutes * kMinute;
  std::optional<UnixMillis> newest_start;
  std::optional<UnixMillis> newest_end;
  for (const auto& run : runs) {
    if (!run.stamp || !run.local) continue;
    const UnixMillis end = *run.stamp + std::llround(std::min(run.total_ms.value_or(0), kLongestDuration));
    newest_start = std::max(newest_start.value_or(*run.stamp), *run.stamp);
    newest_end = std::max(newest_end.value_or(end), end);
  }
  if (!newest_start || context.modified == 0 || shift == 0) return 0;
  const bool as_utc = near(*newest_start, context.modified) || near(*newest_end, context.modified);
  const bool as_local = near(*newest_start - shift, context.modified) || near(*newest_end - shift, context.modified);
  return as_local && !as_utc ? shift : 0;
}

bool ahead(UnixMillis time, const StartTimesContext& context) {
  return context.now != 0 && time > context.now + kAheadLimit;
}

// When nothing better is known.
UnixMillis fallback_time(const StartTimesContext& context) {
  return context.modified != 0 && !ahead(context.modified, context) ? context.modified : context.now;
}

bool ran_in_sequence(const Run& run, UnixMillis start, const StartTimesContext& context) {
  const auto written = context.modified != 0 ? context.modified : context.now;
  if (!run.total_ms || written == 0) return run.total_ms.has_value();
  return static_cast<double>(start) + *run.total_ms <= static_cast<double>(written + kRoundingSlack);
}

}  // namespace

std::vector<UnixMillis> start_times(std::span<const Case> cases, const StartTimesContext& context,
                                    std::vector<std::string>& notes) {
  std::vector<UnixMillis> starts(cases.size());  // offsets first
  const auto runs = find_runs(cases, starts);
  const auto shift = local_shift(runs, context);
  const auto fallback = fallback_time(context);
  std::size_t clamped = 0;
  UnixMillis example = 0;
  for (const auto& run : runs) {
    const auto start = run.stamp.value_or(fallback) - (run.stamp && run.local ? shift : 0);
    const bool in_sequence = run.stamp && ran_in_sequence(run, start, context);
    for (auto i = run.begin; i < run.end; ++i) {
      starts[i] = in_sequence ? start + starts[i] : start;
      if (!ahead(starts[i], context)) continue;
      if (clamped++ == 0) example = starts[i];
      starts[i] = fallback;
    }
  }
  if (shift != 0)
    notes.push_back("timestamps without an offset are read as local time: they fit the file's modification time");
  if (clamped > 0) {
    notes.push_back(std::to_string(clamped) + " timestamps lie ahead of now (first: " + format_utc(example) +
                    "); they are set to " + format_utc(fallback));
  }
  return starts;
}

}  // namespace flakestat::formats
