// What a hunt still has to show: which tests are open, what the next run is asked for, how many runs there may be.
// Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "run/hunt.hpp"
#include "run/narrowing.hpp"
#include "run/run_once.hpp"
#include "run/selection_doubts.hpp"

namespace flakestat::run {

class HuntTarget {
 public:
  /// The plan outlives this.
  explicit HuntTarget(const HuntPlan& plan)
      : plan_(plan), rule_(settling_rule(plan.runs, plan.rule_out)), narrowing_(plan.selection) {}

  /// Takes in what is known after a run.
  void look(const Outcomes& outcomes);
  /// Before a run's cases are judged: a narrowed run is held against what it was asked for.
  void check(RunOnce& once);
  /// Takes in the outcomes of a run that was checked, as they are known from its evidence.
  void note_doubts(const RunOnce& once);

  /// Nothing that was asked for is open any more; without --settle never.
  [[nodiscard]] bool settled() const { return plan_.settle && asked_.settled(); }
  /// --settle waits for tests that `--filter` selects, and after some runs there is none.
  [[nodiscard]] bool asks_for_nothing(int ended) const;
  /// Runs that measure, at most, as far as is known after `ended` of them.
  [[nodiscard]] int most_runs(int ended) const;
  /// The tests that a run is to be narrowed to; empty: the whole suite, as at least twice in the beginning.
  [[nodiscard]] std::vector<TestChoice> choose(const RunOrder& order);
  /// Whether a run that begins after `elapsed` and takes as long as the latest ones would end too late.
  [[nodiscard]] bool is_late(std::chrono::milliseconds elapsed) const;

  /// Durations of the latest runs of one kind (whole, or narrowed): what the next one will take.
  [[nodiscard]] const std::vector<std::chrono::milliseconds>& pace() const { return pace_; }
  [[nodiscard]] int narrowed_runs() const { return narrowed_runs_; }
  [[nodiscard]] std::vector<std::string> warnings() const { return narrowing_.warnings(); }
  /// Passed and failed, but one only in whole runs and the other only in narrowed ones: no proof. Without narrowed runs
  /// there is none.
  [[nodiscard]] const SelectionDoubts& doubts() const { return doubts_; }
  /// Every test that is asked about, by name.
  [[nodiscard]] std::vector<SettledTest> standings(const Outcomes& outcomes) const;

 private:
  const HuntPlan& plan_;
  SettlingRule rule_;
  Narrowing narrowing_;
  SelectionDoubts doubts_;
  Asked asked_;
  std::vector<std::chrono::milliseconds> pace_;
  bool pace_is_narrowed_ = false;
  int narrowed_runs_ = 0;
  int whole_runs_ = 0;
};

}  // namespace flakestat::run
