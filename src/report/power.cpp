#include "report/power.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/words.hpp"

namespace flakestat::report {
namespace {

constexpr double kAlpha = 0.05;

// flip-rate keeps no count of clean runs: there a test that never failed has its passes.
std::uint64_t clean_runs(const TestScore& test) {
  if (test.clean_runs > 0) return test.clean_runs;
  return test.fails == 0 ? test.passes : 0;
}

// `; 299 runs would rule out 1 %`, towards the next bound that has not been reached; nothing beyond 0.1 %.
std::string next_goal(std::uint64_t reached) {
  for (const double goal : {0.01, 0.001}) {
    const auto needed = runs_to_rule_out(goal);
    if (reached < needed) return "; " + std::to_string(needed) + " runs would rule out " + percent_up(goal);
  }
  return {};
}

std::string goals_only(std::string_view reason) {
  return std::string(reason) + "; " + std::to_string(runs_to_rule_out(0.05)) + " clean runs of a test would rule out " +
         "failure rates above " + percent_up(0.05) + " (95 % confidence), " + std::to_string(runs_to_rule_out(0.01)) +
         " above " + percent_up(0.01);
}

std::string ruled_out(std::uint64_t runs) {
  return counted(runs, "clean run") + (runs == 1 ? " rules" : " rule") + " out failure rates above " +
         percent_up(ruled_out_above(runs)) + " (95 % confidence)" + next_goal(runs);
}

}  // namespace

double ruled_out_above(std::uint64_t clean) {
  if (clean == 0) return 1;
  return -std::expm1(std::log(kAlpha) / static_cast<double>(clean));
}

std::uint64_t runs_to_rule_out(double rate) {
  return static_cast<std::uint64_t>(std::ceil(std::log(kAlpha) / std::log1p(-rate) - 1e-9));
}

Power measure_power(std::span<const TestScore> tests) {
  Power power;
  std::vector<std::uint64_t> clean;
  for (const auto& test : tests) {
    power.executions += test.runs;
    if (test.verdict == Verdict::stable) clean.push_back(clean_runs(test));
  }
  if (clean.empty()) return power;
  std::sort(clean.begin(), clean.end());
  power.stable_tests = clean.size();
  power.clean_runs = clean[(clean.size() - 1) / 2];
  power.uniform = clean.front() == clean.back();
  return power;
}

std::string power_line(const Power& power) {
  if (power.executions == 0) return "nothing ran: no failure rate is ruled out";
  if (power.stable_tests == 0) return goals_only("no test is stable: no failure rate is ruled out");
  if (power.clean_runs == 0) return goals_only("no clean runs: no failure rate is ruled out");
  if (power.uniform) return ruled_out(power.clean_runs);
  return "median of " + counted(power.stable_tests, "stable test") + ": " + ruled_out(power.clean_runs);
}

}  // namespace flakestat::report
