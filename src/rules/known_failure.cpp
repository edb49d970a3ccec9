#include "rules/known_failure.hpp"

#include <map>
#include <utility>

namespace flakestat::rules {
namespace {

constexpr std::uint32_t kFailuresToBeKnown = 5;
constexpr std::uint32_t kFailuresAPass = 5;

// The newest stretch of one test in one lane.
struct Stretch {
  std::uint32_t failures = 0;
  std::uint32_t passes = 0;
  bool passed_last = false;
  bool ever_passed = false;
  bool ever_failed = false;

  void fail() {
    ++failures;
    ever_failed = true;
    passed_last = false;
  }

  void pass() {
    if (passed_last || failures < kFailuresToBeKnown) failures = passes = 0;
    else ++passes;
    ever_passed = true;
    passed_last = true;
  }

  [[nodiscard]] bool disagrees() const { return ever_passed && ever_failed; }
  [[nodiscard]] bool is_known() const { return passes > 0 && failures >= kFailuresAPass * passes; }
};

}  // namespace

std::set<std::uint32_t> known_failures(const RunBook& book, const std::set<std::uint32_t>& candidates) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Stretch> stretches;  // test, lane
  if (candidates.empty()) return {};
  for (const auto& part : book.parts()) {
    if (part.outage) continue;
    for (const auto& entry : part.entries) {
      if (!entry.executed() || !candidates.contains(entry.test)) continue;
      auto& stretch = stretches[{entry.test, part.lane}];
      if ((entry.marks & mark::kFailed) != 0) stretch.fail();
      if ((entry.marks & mark::kPassed) != 0) stretch.pass();
    }
  }
  std::set<std::uint32_t> known;
  std::set<std::uint32_t> refuted;
  for (const auto& [place, stretch] : stretches) {
    if (!stretch.disagrees()) continue;
    (stretch.is_known() ? known : refuted).insert(place.first);
  }
  for (const auto test : refuted) known.erase(test);
  return known;
}

}  // namespace flakestat::rules
