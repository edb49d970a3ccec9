// Runs no process: the test says what each command does.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "sys/child.hpp"

namespace flakestat::testing {

class FakeChildRunner final : public sys::ChildRunner {
 public:
  using Behaviour = std::function<sys::ChildResult(const sys::ChildSpec&)>;
  explicit FakeChildRunner(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

  [[nodiscard]] sys::ChildResult run(const sys::ChildSpec& spec) override {
    specs_.push_back(spec);
    return behaviour_(spec);
  }
  /// What was asked for, in order.
  [[nodiscard]] const std::vector<sys::ChildSpec>& specs() const { return specs_; }

 private:
  Behaviour behaviour_;
  std::vector<sys::ChildSpec> specs_;
};

}  // namespace flakestat::testing
