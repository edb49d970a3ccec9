// An interrupt source whose level the test sets.
#pragma once

#include <atomic>

#include "sys/signals.hpp"

namespace flakestat::testing {

class FakeInterrupts final : public sys::InterruptSource {
 public:
  [[nodiscard]] sys::Interrupt level() const override { return level_; }
  [[nodiscard]] int wake_fd() const override { return -1; }
  void acknowledge() override {}
  void set(sys::Interrupt level) { level_ = level; }

 private:
  std::atomic<sys::Interrupt> level_{sys::Interrupt::none};
};

}  // namespace flakestat::testing
