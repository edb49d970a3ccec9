// A clock whose hands the test moves.
#pragma once

#include "sys/clock.hpp"

namespace flakestat::testing {

class FakeClock final : public sys::Clock {
 public:
  [[nodiscard]] std::chrono::milliseconds monotonic() const override { return now_; }
  [[nodiscard]] std::int64_t unix_millis() const override { return kEpoch + now_.count(); }
  void advance(std::chrono::milliseconds by) { now_ += by; }

  static constexpr std::int64_t kEpoch = 1'786'960'800'000;  ///< 2026-08-17T10:00:00Z

 private:
  std::chrono::milliseconds now_{0};
};

}  // namespace flakestat::testing
