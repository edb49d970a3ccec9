// A few threads that do the same piece of work side by side, again and again.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace flakestat::stats {

/// `threads` members, the caller among them. Used by one thread at a time.
class Team {
 public:
  using Task = std::function<void(std::size_t member)>;

  explicit Team(std::size_t threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] std::size_t size() const { return workers_.size() + 1; }

  /// Runs task(0) ... task(size() - 1), side by side, and returns when all are done. `task` must not throw.
  void run(const Task& task);
  /// The same one after the other on the caller: for work too small to wake anyone.
  void run_alone(const Task& task) const;

 private:
  void serve(std::size_t member);

  std::vector<std::thread> workers_;
  const Task* task_ = nullptr;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<std::uint32_t> busy_{0};
  bool closing_ = false;
};

}  // namespace flakestat::stats
