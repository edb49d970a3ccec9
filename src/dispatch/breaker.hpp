// Ends reruns that help nobody: when a change broke many tests, none of them recovers, and rerunning them all only
// makes the answer late. Pure.
#pragma once

#include <cstdint>

namespace flakestat::dispatch {

/// Counts tests in the order in which they settle; only those that were rerun and have no right of way (known flaky,
/// marked, quarantined) are told of. After `limit` in a row that recovered nothing it is open: no reruns, but for every
/// tenth failed test, which gets one. A recovery closes it. Past half of the way every test has one rerun left, so that
/// reaching the limit costs less.
class Breaker {
 public:
  /// 0: never opens.
  explicit Breaker(int limit) : limit_(limit) {}

  enum class Permit : std::uint8_t { full, once, none };
  /// For a test that failed for the first time.
  [[nodiscard]] Permit ask();
  /// For a test that has failed again and had a full permit.
  [[nodiscard]] bool may_go_on() const { return limit_ == 0 || unrecovered_ * 2 < limit_; }

  /// A test that was rerun has settled.
  void settled(bool recovered);

  [[nodiscard]] bool open() const { return limit_ > 0 && unrecovered_ >= limit_; }
  [[nodiscard]] std::uint64_t held_back() const { return held_back_; }

 private:
  int limit_;
  int unrecovered_ = 0;
  std::uint64_t failed_while_open_ = 0;
  std::uint64_t held_back_ = 0;
};

}  // namespace flakestat::dispatch
