// What becomes of a failed test within a run: rerun it, excuse it, or let it fail (design, section 7, run). Pure: told
// of attempts, gives decisions; no process, no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dispatch/breaker.hpp"
#include "dispatch/error_patterns.hpp"
#include "model/run_event.hpp"

namespace flakestat::dispatch {

/// What the user allows for every test.
struct RerunPolicy {
  int reruns = 0;                     ///< per test
  double delay_seconds = 0;           ///< before each rerun
  ErrorPatterns only;                 ///< a failure must match one of them; none given: every failure does
  ErrorPatterns except;               ///< and none of these
  int breaker = 10;                   ///< unrecovered tests in a row that end reruns; 0: never
  std::optional<std::uint64_t> most;  ///< reruns in the whole run
  bool only_known_flaky = false;      ///< the ledger must know the test as flaky; marks bypass it
  bool measure = false;               ///< a test that failed takes its whole budget, whatever comes
  int maxfail = 0;                    ///< unexcused failures that end the run; 0: none do
};

/// What a mark at the test says (`flaky(reruns=...)`); it goes before the policy.
struct RerunMark {
  std::optional<int> reruns;
  std::optional<double> delay_seconds;
  std::optional<ErrorPatterns> only;
  std::optional<ErrorPatterns> except;
};

/// What is known of one test before it runs.
struct TestPolicy {
  std::optional<RerunMark> mark;
  LedgerCounts ledger;
  std::optional<std::string> excuse;  ///< the quarantine's entry that names it
  std::string expired;                ///< the entry that would have, but has expired
};

/// After an attempt: once more, or settled.
struct Decision {
  bool rerun = false;
  double delay_seconds = 0;
  std::optional<TestSettled> settled;  ///< when not rerun
  std::string note;                    ///< to be said at once: the breaker opened or closed, a limit was reached
  bool stop = false;                   ///< the limit of failures was reached
};

/// The reruns, excuses and counts of one run. Not thread-safe.
class Lifecycle {
 public:
  Lifecycle(RerunPolicy policy, std::vector<TestPolicy> tests);

  /// A test that was not known when the run began; its index.
  std::size_t add(TestPolicy test);

  /// An attempt after which the test was run again without being asked for: by its framework, or because others were.
  /// Nothing is decided; it counts as an attempt.
  void attempt_followed(std::size_t test, RunAttempt attempt);

  /// Takes a settlement back of which nobody was told yet: the test has run once more. To be followed by that attempt.
  void reopen(TestSettled settled);

  /// Attempts of a test come in order, each once; none after it was settled.
  [[nodiscard]] Decision attempt_finished(std::size_t test, RunAttempt attempt);

  /// A test that was begun and will have no further attempt, whatever its budget: the run is ending. Its last attempt
  /// decides.
  [[nodiscard]] TestSettled give_up(std::size_t test);

  /// True between the first attempt and the settling.
  [[nodiscard]] bool open(std::size_t test) const { return !states_[test].settled && !states_[test].attempts.empty(); }
  [[nodiscard]] bool settled(std::size_t test) const { return states_[test].settled; }
  /// While it is open.
  [[nodiscard]] std::size_t attempts(std::size_t test) const { return states_[test].attempts.size(); }

  /// By fate, with reruns and crashes; `not_run` counts the tests without an attempt.
  [[nodiscard]] RunTotals totals() const;
  /// Tests that the gate lets be rerun: with none of them `only_known_flaky` reruns nothing but marked ones.
  [[nodiscard]] std::size_t known_flaky() const { return known_flaky_; }
  /// Failures that were not rerun because the breaker was open.
  [[nodiscard]] std::uint64_t held_back() const { return breaker_.held_back(); }

 private:
  struct State {
    std::vector<RunAttempt> attempts;
    bool settled = false;
    bool trial = false;  ///< it has one rerun only
  };

  [[nodiscard]] int budget(const TestPolicy& test) const;
  [[nodiscard]] bool matches(const TestPolicy& test, const RunAttempt& attempt) const;
  [[nodiscard]] bool may_rerun(std::size_t test, Decision& decision, std::string& note);
  [[nodiscard]] TestSettled settle(std::size_t test, std::string note, Decision* decision);
  [[nodiscard]] RunFate fate_of(const TestPolicy& test, const std::vector<RunAttempt>& attempts) const;
  void begin(State& state, const RunAttempt& attempt);
  [[nodiscard]] std::uint64_t& counter(RunFate fate);

  RerunPolicy policy_;
  std::vector<TestPolicy> tests_;
  std::vector<State> states_;
  Breaker breaker_;
  RunTotals totals_;
  std::size_t known_flaky_ = 0;
  std::uint64_t fatal_ = 0;
  bool limit_said_ = false;
  std::size_t begun_ = 0;
};

}  // namespace flakestat::dispatch
