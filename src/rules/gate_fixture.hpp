// A history for the tests of this layer, and its book. Included by *_test.cpp only.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/gate.hpp"
#include "stats/history_fixture.hpp"

namespace flakestat::rules::fixture {

using stats::fixture::kHour;
using stats::fixture::kNoon;
using stats::fixture::Place;

/// Runs of a suite, an hour apart: one commit and one run_id each unless said otherwise.
class Runs {
 public:
  Place at;  ///< of the next run; commit, run_id and time are set when empty

  /// One character a test: P, F, S (skipped), N (sanitised), Q (failed, quarantined).
  Runs& run(const std::vector<std::pair<std::string, char>>& outcomes) {
    ++count_;
    Place place = at;
    if (at.commit == Place{}.commit) place.commit = "c" + std::to_string(count_);
    if (place.run_id.empty()) place.run_id = "r" + std::to_string(count_);
    place.ts += kHour * count_;
    for (const auto& [test, outcome] : outcomes) {
      auto& line = log_.add(place, test, outcome == 'N' ? 'S' : outcome == 'Q' ? 'F' : outcome);
      if (outcome == 'N') line.sanitised_assumption = "network";
      line.quarantined = outcome == 'Q';
      line.suite = suite;
      line.test_id = test_id(line.suite, line.class_name, line.name);
    }
    return *this;
  }

  /// A run per letter of the test.
  Runs& runs(const std::string& test, const std::string& outcomes) {
    for (const char outcome : outcomes) run({{test, outcome}});
    return *this;
  }

  std::string suite = "suite";
  std::vector<Observation>& lines() { return log_.lines; }

  [[nodiscard]] stats::Scores scores() const { return stats::fixture::score(log_); }

  [[nodiscard]] RunBook book(std::set<std::string, std::less<>> damaged = {}) const {
    stats::History history;
    for (const auto& line : log_.lines) history.add(line);
    RunBook book(std::move(damaged));
    history.walk(stats::fixture::example_options(), book);
    book.mark_outages(scores().outages);
    return book;
  }

  [[nodiscard]] GateResult decide(const Baseline& baseline = {}, GateOptions options = {}) const {
    if (options.branch.empty()) options.branch = "main";
    return rules::decide(scores(), baseline, book(), options);
  }

 private:
  stats::fixture::LogBook log_;
  int count_ = 0;
};

/// Tests `t0`.. of one outcome.
inline std::vector<std::pair<std::string, char>> many(int count, char outcome) {
  std::vector<std::pair<std::string, char>> out;
  for (int i = 0; i < count; ++i) out.emplace_back("t" + std::to_string(i), outcome);
  return out;
}

inline std::vector<std::string> names(const std::vector<GateItem>& items) {
  std::vector<std::string> out;
  for (const auto& item : items) out.push_back(item.name);
  return out;
}

}  // namespace flakestat::rules::fixture
