// Which tests have passed and failed so far: the disagreement that `--until-fail` waits for. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "model/case.hpp"
#include "model/identity.hpp"

namespace flakestat::run {

/// Pass and failure of every test over the runs that are believed.
class Outcomes {
 public:
  void add(std::span<const Case> cases);
  /// True once some test has both passed and failed, in one run or in two.
  [[nodiscard]] bool disagreed() const { return disagreed_; }

 private:
  std::unordered_map<TestId, std::uint8_t> seen_;
  bool disagreed_ = false;
};

}  // namespace flakestat::run
