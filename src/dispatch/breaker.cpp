#include "dispatch/breaker.hpp"

namespace flakestat::dispatch {
namespace {

constexpr std::uint64_t kTrialEvery = 10;

}  // namespace

Breaker::Permit Breaker::ask() {
  if (!open()) return may_go_on() ? Permit::full : Permit::once;
  if (++failed_while_open_ % kTrialEvery == 0) return Permit::once;
  ++held_back_;
  return Permit::none;
}

void Breaker::settled(bool recovered) {
  if (recovered) {
    unrecovered_ = 0;
    failed_while_open_ = 0;
  } else if (!open()) {
    ++unrecovered_;
  }
}

}  // namespace flakestat::dispatch
