// What each run of a hunt is worth, decided from how the runs ended and what they reported (design, section 7). Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "run/case_sets.hpp"
#include "run/outcomes.hpp"
#include "run/run_facts.hpp"
#include "run/varying_names.hpp"

namespace flakestat::run {

/// The judgement of one run.
struct Judged {
  RunWorth worth = RunWorth::waiting;
  std::string reason;  ///< why it is not `sound`
  bool late = false;   ///< called sound before, and its cases given out; a later run showed that it had lost cases
};

/// Takes the runs one after the other. A worth other than `waiting` is final, except for `late`.
///
/// The rules, for runs that were asked for a report:
///  - no fresh whole report: unsound. Ended by us or by a signal with part of a report, or timed out: partial.
///  - non-zero (or a signal) without a failing case: tolerated when every comparable run (ended by itself, whole
///  report) is
///    like that and ended in the way most of them did, else unsound.
///  - lost cases that others have: when it has a failing case, and does not exit 0 where others with a failing case do
///  not,
///    the failure explains the loss (fail-fast, a panic, a failed set-up): sound, and a warning counts them. Else
///    tolerated when every comparable run lost some, else unsound.
///  - narrowed to some tests: without any case unsound; never compared with whole runs, and its end only with the ends
///  of
///    other narrowed runs (a coverage threshold is missed by all of them).
/// Without reports every run is sound: its exit code is its result.
class HuntJudge {
 public:
  explicit HuntJudge(bool with_reports) : with_reports_(with_reports) {}

  /// The cases are those of the report, as far as it got. Returns outcomes_of them, which are needed elsewhere, too.
  std::vector<TestOutcome> add(const RunFacts& facts, std::span<const Case> cases);
  /// Decides what is waiting with what is known now: at the end, or earlier when waiting costs too much memory.
  void settle_all();

  /// One for each run that was added, in order.
  [[nodiscard]] const std::vector<Judged>& judged() const { return judged_; }
  /// Some test, or the command as a whole, has passed and failed, as far as is known.
  [[nodiscard]] bool disagreed() const;
  /// The tests' results over the runs that are believed, as far as is known.
  [[nodiscard]] const Outcomes& outcomes() const { return outcomes_; }
  /// True while no run has had a report of any kind.
  [[nodiscard]] bool never_reported() const;
  /// True when reports were read and not one of them held a case.
  [[nodiscard]] bool never_had_cases() const;
  /// Warnings about what was judged; complete after settle_all().
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct Run {
    RunFacts facts;
    std::size_t cases = 0;
    bool has_failure = false;
    std::optional<std::size_t> set;    ///< comparable runs only, not narrowed
    std::size_t lacks = 0;             ///< after settle_all()
    std::vector<TestOutcome> results;  ///< until its worth is certain
    bool counted = false;              ///< in outcomes_
  };

  [[nodiscard]] Judged first_judgement(const Run& run) const;
  void note_names(const Run& run, std::span<const Case> cases);
  void settle_what_is_certain();
  void apply(std::size_t index, Judged decided);
  void count_results(Run& run);
  [[nodiscard]] bool probably_counts(const Run& run, const Judged& judged) const;
  [[nodiscard]] std::vector<Judged> decide() const;
  void decide_losses(std::vector<Judged>& decided) const;
  void decide_odd_ends(std::vector<Judged>& decided) const;
  void decide_odd_ends(std::vector<Judged>& decided, bool narrowed) const;
  [[nodiscard]] bool lost_cases(const Run& run, const std::vector<std::size_t>& lacking) const;
  [[nodiscard]] bool is_odd(const Run& run) const;
  [[nodiscard]] bool explains_loss(const Run& run) const;
  [[nodiscard]] bool suite_level_disagreed() const;
  void warn_losses(std::vector<std::string>& out) const;
  void warn_names(std::vector<std::string>& out) const;
  void warn_grouped(std::vector<std::string>& out) const;

  bool with_reports_;
  std::vector<Run> runs_;
  std::vector<Judged> judged_;
  CaseSets sets_;
  Outcomes outcomes_;
  std::vector<TestName> last_names_;
  int last_names_run_ = 0;
  std::optional<std::size_t> last_names_set_;
  std::optional<VaryingNames> varying_;
};

/// `run 3`, `runs 2, 5-7`.
[[nodiscard]] std::string run_list(std::vector<int> runs);

}  // namespace flakestat::run
