#include "run/settling.hpp"

#include <algorithm>

#include "stats/detectability.hpp"

namespace flakestat::run {
namespace {

constexpr double kBrokenPassRate = 0.20;
constexpr std::uint64_t kMostRuns = 1'000'000;

int needed(double rate) { return static_cast<int>(std::min(stats::runs_to_rule_out(rate), kMostRuns)); }

int left(int wanted, std::uint64_t seen) {
  return seen >= static_cast<std::uint64_t>(wanted) ? 0 : wanted - static_cast<int>(seen);
}

}  // namespace

int runs_that_rule_out(double rule_out) { return needed(rule_out); }

SettlingRule settling_rule(int budget, std::optional<double> rule_out) {
  if (!rule_out) return {budget, budget};
  // A budget that --runs cut short rules out less than was asked for, so it does not count as clean: docs/hunt.md.
  return {needed(*rule_out), std::min(needed(kBrokenPassRate), needed(*rule_out))};
}

Standing standing_of(const Outcome& outcome, const SettlingRule& rule) {
  if (outcome.passes > 0 && outcome.fails > 0) return Standing::disagreed;
  if (outcome.passes + outcome.fails == 0) return Standing::unseen;
  return runs_to_settle(outcome, rule) > 0 ? Standing::open : outcome.fails == 0 ? Standing::clean : Standing::broken;
}

int runs_to_settle(const Outcome& outcome, const SettlingRule& rule) {
  if (outcome.passes > 0 && outcome.fails > 0) return 0;
  return outcome.fails > 0 ? left(rule.broken_after, outcome.fails) : left(rule.clean_after, outcome.passes);
}

}  // namespace flakestat::run
