#include "run/settling.hpp"

#include <algorithm>

#include "stats/detectability.hpp"

namespace flakestat::run {
namespace {

constexpr double kBrokenPassRate = 0.20;
constexpr std::uint64_t kMostRuns = 1'000'000;

int needed(double rate) { return static_cast<int>(std::min(stats::runs_to_rule_out(rate), kMostRuns)); }

int left(int wanted, std::uint32_t made) {
  return made >= static_cast<std::uint32_t>(wanted) ? 0 : wanted - static_cast<int>(made);
}

}  // namespace

int runs_that_rule_out(double rule_out) { return needed(rule_out); }

SettlingRule settling_rule(int budget, std::optional<double> rule_out) {
  if (!rule_out) return {budget, budget};
  // A budget that --runs cut short rules out less than was asked for, so it does not count as clean: docs/hunt.md.
  return {needed(*rule_out), std::min(needed(kBrokenPassRate), needed(*rule_out))};
}

Standing standing_of(const Tally& seen, const SettlingRule& rule) {
  if (seen.disagreed()) return Standing::disagreed;
  if (seen.runs() == 0) return Standing::unseen;
  return runs_to_settle(seen, rule) > 0 ? Standing::open : seen.fails == 0 ? Standing::clean : Standing::broken;
}

int runs_to_settle(const Tally& seen, const SettlingRule& rule) {
  if (seen.disagreed()) return 0;
  return seen.fails > 0 ? left(rule.broken_after, seen.fails) : left(rule.clean_after, seen.passes);
}

}  // namespace flakestat::run
