// The gate of `check`: fail on new or worse, not on existing (docs/ci-gate.md). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/baseline.hpp"
#include "rules/changing_names.hpp"
#include "rules/run_book.hpp"
#include "stats/scoring.hpp"

namespace flakestat::rules {

/// What a run must have brought for the gate to decide on it.
struct Expectation {
  bool all = false;         ///< every test of the run before it
  std::uint64_t tests = 0;  ///< at least so many tests
};

struct GateOptions {
  bool fail_on_new = true;
  bool fail_on_regression = true;
  double regression_delta = 0.10;          ///< an accepted score may rise by so much
  std::optional<double> severity;          ///< bayes: new flakes whose lower bound is below are no failure
  std::optional<std::uint32_t> new_tests;  ///< clean executions in a row that a new test needs
  std::optional<std::uint32_t> sanitised;  ///< runs that a test may be sanitised in, one after the other
  Expectation expect;
  std::set<TestId> excused;  ///< tests on the quarantine list, today and here
  std::string branch;        ///< the present one
  std::string run;           ///< Run::id of the present run: decided on wherever its time stamps put it; empty: unknown
  bool nothing_brought = false;  ///< reports were given, and there is no test in them
};

/// One test that the gate speaks of. Names and file are foreign text.
struct GateItem {
  TestId test_id{};
  std::string suite;
  std::string class_name;
  std::string name;
  std::string file;
  std::optional<double> score;         ///< now
  std::optional<double> lower_bound;   ///< now
  std::optional<double> was;           ///< accepted score
  std::optional<std::uint64_t> count;  ///< clean executions, or runs: what the list is about
  std::string commit;                  ///< of the newest pass, where that matters
  std::string reason;                  ///< of the list, in our words
};

/// The run that the gate decides on.
struct NewestRun {
  std::string run_id;
  std::string branch;
  UnixMillis started = 0;
  std::uint64_t tests = 0;
  std::uint64_t failing = 0;  ///< and not excused
  std::uint64_t sanitised = 0;
  std::uint64_t quarantined = 0;  ///< failing, and excused by the list
};

enum class Decision : std::uint8_t { passed, undecided, failed, worse };

[[nodiscard]] constexpr std::string_view to_string(Decision decision) {
  switch (decision) {
    case Decision::passed: return "passed";
    case Decision::undecided: return "undecided";
    case Decision::failed: return "failed";
    case Decision::worse: return "worse";
  }
  return "failed";
}

struct GateResult {
  std::vector<GateItem> new_flaky;        ///< flaky, not in the baseline
  std::vector<GateItem> below_threshold;  ///< such, but less severe than the limit
  std::vector<GateItem> worse;
  std::vector<GateItem> accepted;
  std::vector<GateItem> quarantined;    ///< new, worse or unproven, and excused by the list
  std::vector<GateItem> known_failing;  ///< flaky only because a known failure passed once
  std::vector<GateItem> fixed;          ///< in the baseline, stable now
  std::vector<GateItem> broken;         ///< in the baseline, failing consistently now
  std::vector<GateItem> not_seen;       ///< in the baseline, and too few executions to say anything
  std::vector<GateItem> unproven;       ///< new tests without their clean executions
  std::vector<GateItem> sanitised;      ///< never really tested lately
  std::vector<GateItem> missing;        ///< in the run before, not in the newest
  std::vector<GateItem> failing;        ///< in the newest run, not excused
  std::vector<stats::Outage> outages;   ///< of the newest run
  NewestRun newest;
  bool branch_unseen = false;    ///< the present branch has no run: the newest of any branch stands in
  bool damaged = false;          ///< a report of the newest run broke off
  bool selected = false;         ///< the newest run selected tests
  bool nothing_brought = false;  ///< the reports that were given hold no test: the newest run is an older one
  std::optional<ChangingNames> changing;
  Decision decision = Decision::passed;
  std::vector<std::string> reasons;  ///< why it did not pass, in our words, worst first
};

/// `tests` of `scores` are judged; `book` is of the whole history, its outages marked.
[[nodiscard]] GateResult decide(const stats::Scores& scores, const Baseline& baseline, const RunBook& book,
                                const GateOptions& options);

}  // namespace flakestat::rules
