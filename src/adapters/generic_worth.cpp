#include "adapters/generic_worth.hpp"

#include <utility>

#include "run/run_facts.hpp"

namespace flakestat::adapters {
namespace {

bool with_reports(const run::RunResult& result) { return result.report != run::ReportState::not_asked; }

RunWorth broken(std::string problem, RunTrouble trouble, int exit_code) {
  return {Worth::broken, std::move(problem), trouble, exit_code == 0 ? kBroken : exit_code, {}, true};
}

// How the command ended, and what there is to say of its report.
std::string told(const run::RunResult& result) {
  auto text = run::describe_end(result.end, result.code);
  if (!result.report_problem.empty()) text += ", " + result.report_problem;
  return text;
}

std::string plural(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Fewer tests than the last time: for a failure (the runner stopped there), for a change of the code, or for no reason.
RunWorth against(const KnownRun& known, const run::RunResult& result, const CaseFacts& cases) {
  if (cases.tests >= known.tests) return {};
  auto text = "the report has " + plural(cases.tests, "test") + ", that of the last whole run had " +
              std::to_string(known.tests);
  const bool explained = cases.any_failing && result.code != 0;
  if (known.same_code && !explained) {
    return broken(
        "exit code " + std::to_string(result.code) + ", and tests are missing: " + text + " with the same code",
        RunTrouble::lost, result.code);
  }
  RunWorth sound;
  sound.warning = std::move(text);
  return sound;
}

}  // namespace

RunWorth worth_of(const run::RunResult& result, const CaseFacts& cases, const std::optional<KnownRun>& known) {
  switch (result.end) {
    case run::RunEnd::timed_out: return broken(told(result), RunTrouble::timed_out, kBroken);
    case run::RunEnd::signalled: return broken(told(result), RunTrouble::crashed, kSignalled + result.code);
    case run::RunEnd::failed_to_start:
    case run::RunEnd::lost:
    case run::RunEnd::interrupted: return broken(told(result), RunTrouble::lost, kBroken);
    case run::RunEnd::exited: break;
  }
  if (!with_reports(result)) return {};
  if (result.report != run::ReportState::whole) return broken(told(result), RunTrouble::lost, result.code);
  if (cases.tests == 0) {
    return {Worth::nothing_ran,
            told(result) + ", and no test in the report",
            RunTrouble::none,
            result.code == 0 ? kBroken : result.code,
            {}};
  }
  if (result.code != 0 && !cases.any_failing) {
    auto worth = broken(told(result) + " without a failing case", RunTrouble::lost, result.code);
    worth.believed = false;
    return worth;
  }
  return known ? against(*known, result, cases) : RunWorth{};
}

}  // namespace flakestat::adapters
