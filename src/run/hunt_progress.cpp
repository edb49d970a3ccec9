#include "run/hunt_progress.hpp"

#include <algorithm>
#include <vector>

namespace flakestat::run {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kWindow = 20;

}  // namespace

milliseconds typical_duration(std::span<const milliseconds> durations) {
  const auto recent = durations.last(std::min(durations.size(), kWindow));
  std::vector<milliseconds> sorted(recent.begin(), recent.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (sorted.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(sorted.begin(), middle)) / 2;
}

HuntProgress progress_of(const ProgressFacts& facts) {
  HuntProgress progress;
  progress.total = facts.total;
  progress.done = static_cast<int>(facts.durations.size());
  progress.running = facts.running;
  progress.failed = facts.failed;
  progress.elapsed = facts.elapsed;
  if (facts.durations.empty()) return progress;
  const int left = std::max(0, progress.total - progress.done);
  const auto run = typical_duration(facts.pace.empty() ? facts.durations : facts.pace);
  progress.run = run;
  const auto current = std::min(facts.elapsed_in_current, run);
  progress.remaining = left == 0 ? milliseconds(0) : (run * left - current) / std::max(1, facts.parallel);
  if (facts.elapsed.count() > 0) {
    progress.runs_per_minute = 60'000.0 * progress.done / static_cast<double>(facts.elapsed.count());
  }
  return progress;
}

}  // namespace flakestat::run
