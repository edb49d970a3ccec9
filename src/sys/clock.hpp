// Time as an argument, so that tests let it pass by hand.
#pragma once

#include <chrono>
#include <cstdint>

namespace flakestat::sys {

/// Both readings are safe to take from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Never goes back; its zero means nothing.
  [[nodiscard]] virtual std::chrono::milliseconds monotonic() const = 0;
  /// Wall clock: milliseconds since 1970-01-01T00:00:00Z.
  [[nodiscard]] virtual std::int64_t unix_millis() const = 0;
};

/// The machine's clocks.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::milliseconds monotonic() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
  }
  [[nodiscard]] std::int64_t unix_millis() const override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  }
};

}  // namespace flakestat::sys
