// Real time plus what the test adds: a time-out of an hour is over as soon as the child has shown that it is ready.
#pragma once

#include "sys/clock.hpp"

namespace flakestat::testing {

class JumpingClock final : public sys::Clock {
 public:
  [[nodiscard]] std::chrono::milliseconds monotonic() const override { return real_.monotonic() + added_; }
  [[nodiscard]] std::int64_t unix_millis() const override { return real_.unix_millis() + added_.count(); }
  /// From now on `by` ahead of real time, however often it is called.
  void jump_once(std::chrono::milliseconds by) { added_ = by; }

 private:
  sys::SystemClock real_;
  std::chrono::milliseconds added_{0};
};

}  // namespace flakestat::testing
