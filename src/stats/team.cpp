#include "stats/team.hpp"

namespace flakestat::stats {

Team::Team(std::size_t threads) {
  for (std::size_t member = 1; member < threads; ++member) workers_.emplace_back([this, member] { serve(member); });
}

Team::~Team() {
  closing_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Team::run(const Task& task) {
  task_ = &task;
  busy_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  task(0);
  for (std::uint32_t left = busy_.load(std::memory_order_acquire); left != 0;) {
    busy_.wait(left, std::memory_order_acquire);
    left = busy_.load(std::memory_order_acquire);
  }
}

void Team::run_alone(const Task& task) const {
  for (std::size_t member = 0; member < size(); ++member) task(member);
}

void Team::serve(std::size_t member) {
  std::uint32_t seen = 0;
  for (;;) {
    round_.wait(seen, std::memory_order_acquire);
    const std::uint32_t now = round_.load(std::memory_order_acquire);
    if (now == seen) continue;
    seen = now;
    if (closing_) return;
    (*task_)(member);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

}  // namespace flakestat::stats
