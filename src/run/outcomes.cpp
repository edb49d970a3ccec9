#include "run/outcomes.hpp"

#include <vector>

namespace flakestat::run {
namespace {

constexpr std::uint8_t kPassed = 1;
constexpr std::uint8_t kFailed = 2;
constexpr std::uint8_t kBoth = kPassed | kFailed;

std::uint8_t outcome_of(const Case& each) {
  if (is_failure(each.status)) return kFailed;
  const std::uint8_t passed = each.status == Status::pass ? kPassed : 0;
  return each.known_flaky ? static_cast<std::uint8_t>(passed | kFailed) : passed;
}

// The cases of one test in one run. Failures before a pass are attempts and disagree; any other mixture may be empty
// attempts in front of the real result (pytest-rerunfailures), so only the failure counts (design, section 5).
struct Tries {
  std::uint8_t seen = 0;
  bool last_passed = false;
  std::size_t passes = 0;

  void add(std::uint8_t outcome) {
    if (outcome == 0) return;
    seen |= outcome;
    last_passed = (outcome & kPassed) != 0;
    passes += last_passed ? 1 : 0;
  }
  [[nodiscard]] std::uint8_t result() const {
    if (seen != kBoth) return seen;
    return last_passed && passes == 1 ? kBoth : kFailed;
  }
};

}  // namespace

void Outcomes::add(std::span<const Case> cases) {
  std::unordered_map<TestId, Tries> run;
  for (const auto& each : cases) run[test_id(each.suite, each.class_name, each.name)].add(outcome_of(each));
  for (const auto& [test, tries] : run) {
    auto& seen = seen_[test];
    seen = static_cast<std::uint8_t>(seen | tries.result());
    disagreed_ = disagreed_ || seen == kBoth;
  }
}

}  // namespace flakestat::run
