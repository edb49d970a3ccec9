// A progress line for counted work that takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "app/settings.hpp"
#include "app/world.hpp"
#include "report/progress.hpp"

namespace flakestat::app {

/// Counts pieces of work and redraws the world's live line, at most ten times a second, from the second second on;
/// clears it at the end. `advance` may be called from any thread.
class SlowProgress {
 public:
  SlowProgress(const World& world, std::string_view noun, std::uint64_t total)
      : world_(world), noun_(noun), total_(total), begin_(Clock::now()), next_(begin_ + std::chrono::seconds(1)) {}
  ~SlowProgress() {
    if (shown_) world_.progress({});
  }
  SlowProgress(const SlowProgress&) = delete;
  SlowProgress& operator=(const SlowProgress&) = delete;

  void advance() {
    const std::lock_guard lock(mutex_);
    ++done_;
    const auto now = Clock::now();
    if (!world_.live_progress || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    report::Progress progress;
    progress.noun = noun_;
    progress.done = done_;
    progress.total = total_;
    progress.elapsed_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - begin_).count();
    world_.progress(report::progress_line(progress, look_of(world_)));
    shown_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const World& world_;
  std::string_view noun_;
  std::uint64_t total_;
  Clock::time_point begin_;
  std::mutex mutex_;
  Clock::time_point next_;
  std::uint64_t done_ = 0;
  bool shown_ = false;
};

}  // namespace flakestat::app
