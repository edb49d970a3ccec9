// How often each test has passed and failed so far, alone and beside other copies: what `--until-fail` waits for, what
// is verified, what is settled. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/case.hpp"
#include "model/identity.hpp"
#include "run/hunt_order.hpp"

namespace flakestat::run {

/// The result of a test in one run.
enum class RunOutcome : std::uint8_t { none = 0, passed = 1, failed = 2, both = 3 };

[[nodiscard]] constexpr bool passed(RunOutcome outcome) {
  return outcome == RunOutcome::passed || outcome == RunOutcome::both;
}
[[nodiscard]] constexpr bool failed(RunOutcome outcome) {
  return outcome == RunOutcome::failed || outcome == RunOutcome::both;
}

/// Runs in which a test passed, and in which it failed; a run in which it did both counts for both.
struct Tally {
  std::uint32_t passes = 0;
  std::uint32_t fails = 0;

  void count(RunOutcome outcome) {
    if (passed(outcome)) ++passes;
    if (failed(outcome)) ++fails;
  }
  [[nodiscard]] bool disagreed() const { return passes > 0 && fails > 0; }
  [[nodiscard]] std::uint32_t runs() const { return passes + fails; }
  friend Tally operator+(Tally a, Tally b) { return {a.passes + b.passes, a.fails + b.fails}; }
  friend bool operator==(const Tally&, const Tally&) = default;
};

struct TestTally {
  TestChoice test;
  Tally alone;
  Tally beside;

  [[nodiscard]] Tally total() const { return alone + beside; }
  /// Disagreed, but never among the runs that were alone: perhaps the copies' doing.
  [[nodiscard]] bool doubtful() const { return beside.runs() > 0 && total().disagreed() && !alone.disagreed(); }
  /// Every run beside others had the one result, every run alone the other: isolation is what makes the difference.
  [[nodiscard]] bool isolation_sensitive() const {
    return doubtful() && alone.runs() > 0 && !beside.disagreed() && !alone.disagreed();
  }
};

struct TestOutcome {
  TestId id{};
  RunOutcome outcome = RunOutcome::none;
  std::size_t at = 0;  ///< index of the test's first case
};

/// One for each test that passed or failed. Failures before a pass are attempts and disagree; any other mixture may be
/// empty attempts in front of the real result (pytest-rerunfailures), so only the failure counts (design, section 5).
[[nodiscard]] std::vector<TestOutcome> outcomes_of(std::span<const Case> cases);

/// Over the runs that are believed.
class Outcomes {
 public:
  /// Notes who the tests of a run are; counts nothing.
  void introduce(const std::vector<TestOutcome>& run, std::span<const Case> cases);
  /// Counts a run, whose tests were introduced.
  void add(RunMode mode, const std::vector<TestOutcome>& run);
  /// Takes back a run that was counted: it is not believed after all.
  void remove(RunMode mode, const std::vector<TestOutcome>& run);
  /// Some test has both passed and failed, in one run or in two.
  [[nodiscard]] bool disagreed() const;
  /// Which tests have, in the order in which they were seen to; also those of which a run was taken back since.
  [[nodiscard]] const std::vector<TestId>& disagreeing() const { return disagreeing_; }
  /// Every test that was introduced; those of runs that are not believed have empty tallies.
  [[nodiscard]] const std::unordered_map<TestId, TestTally>& tests() const { return tests_; }

 private:
  std::unordered_map<TestId, TestTally> tests_;
  std::vector<TestId> disagreeing_;
  std::unordered_set<TestId> seen_to_disagree_;  ///< the same
};

}  // namespace flakestat::run
