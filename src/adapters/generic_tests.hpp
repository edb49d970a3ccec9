// The tests of a run whose command is run again for those that failed: the union of what all its runs reported. Pure.
//
// Events are kept until the end, since a run of the whole suite may bring tests that no run had before and may make a
// test fail that had passed: only then is it known what there is and what became of it.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adapters/generic_worth.hpp"
#include "adapters/reported_tests.hpp"
#include "dispatch/lifecycle.hpp"
#include "model/run_event.hpp"

namespace flakestat::adapters {

/// What is known of a test before it runs: the ledger's counts, the quarantine's entry.
using PolicyOf = std::function<dispatch::TestPolicy(const RunTest&)>;

/// A run that was made for the tests that wait.
struct RerunFacts {
  int rerun = 1;          ///< from 1
  bool narrowed = false;  ///< asked for these tests alone; else for the whole suite
  bool clean = false;     ///< exit code 0 and nothing failing
  RunWorth worth;
};

class GenericTests {
 public:
  /// `policy.maxfail` means nothing here.
  GenericTests(dispatch::RerunPolicy policy, PolicyOf policy_of);

  /// What the first run reported. When it is not sound no failure is rerun; where its passes are not believed the tests
  /// are known, but have not run.
  void take_first(ReportedTests reported, const RunWorth& worth);

  /// Lets failures of the first run in, up to `most` of them, and says which tests are to be run again. In parts, so
  /// that the breaker can learn from the first ones; what is let in while it is open settles at once.
  void admit(std::size_t most);
  [[nodiscard]] std::size_t queued() const { return queue_.size(); }

  /// Tests that are to be run again, ascending.
  [[nodiscard]] std::vector<std::size_t> waiting() const;
  /// The longest delay that one of them wants.
  [[nodiscard]] double delay_seconds() const { return delay_; }
  /// Ends the waiting of tests that can not, or shall not, be run again; their last attempt decides.
  void give_up(const std::vector<std::size_t>& tests, const std::string& note);
  void give_up_all(const std::string& note);

  /// What a rerun reported. Every test that waited gets an attempt: its own, or an error that says why there is none.
  void take_rerun(ReportedTests reported, const RerunFacts& facts);

  /// A failure of a run as a whole, as an attempt of the test that stands for the command.
  void take_problem(const RunTest& command, RunAttempt attempt);
  /// The command itself as the only test: its first attempt, or the next one when it waits.
  void take_command(const RunTest& command, RunAttempt attempt);

  [[nodiscard]] const RunTest& test(std::size_t index) const { return entries_[index].test; }
  [[nodiscard]] bool is_stand_in(std::size_t index) const { return entries_[index].stand_in; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Ids of tests that have passed or were skipped, and that a report lacks.
  [[nodiscard]] std::vector<std::string> not_in(const ReportedTests& reported) const;
  /// What is to be told at once, since the last call.
  [[nodiscard]] std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

  /// Nothing waits any more. The tests, and the events of their attempts and fates in order.
  [[nodiscard]] std::vector<RunTest> tests() const;
  [[nodiscard]] std::vector<RunEvent> events() const;
  [[nodiscard]] RunTotals totals() const;
  /// Tests with failures that settled as failed, for messages: raw ids.
  [[nodiscard]] std::vector<std::string> failed_stand_ins() const;

 private:
  enum class State : std::uint8_t { unknown, queued, waiting, settled };
  struct Entry {
    RunTest test;
    bool stand_in = false;
    State state = State::unknown;
    std::vector<RunAttempt> unfed;  ///< queued: what runs have reported so far
    int reported = 0;               ///< attempts that were taken, fed or not
    TestSettled settled;
  };

  std::size_t add(ReportedTest&& reported);
  std::size_t add(const RunTest& test, bool stand_in, dispatch::TestPolicy policy);
  std::vector<RunAttempt> numbered(std::size_t test, std::vector<RunAttempt> attempts);
  void feed(std::size_t test, std::vector<RunAttempt> attempts);
  void settle(std::size_t test, TestSettled settled);
  void end_waiting(std::size_t test, const std::string& note);
  void take_new(ReportedTest&& reported, const RerunFacts& facts);
  void take_known(std::size_t test, ReportedTest&& reported, const RerunFacts& facts);
  void miss(std::size_t test, const RerunFacts& facts, const std::string& instead);
  [[nodiscard]] std::string told_instead(const ReportedTests& reported) const;

  dispatch::Lifecycle lifecycle_;
  PolicyOf policy_of_;
  std::vector<Entry> entries_;
  std::unordered_map<TestId, std::size_t> by_id_;
  std::deque<std::size_t> queue_;
  std::vector<std::pair<std::size_t, std::size_t>> order_;  ///< test and attempt, as they were reported
  std::vector<std::string> notes_;
  double delay_ = 0;
};

}  // namespace flakestat::adapters
