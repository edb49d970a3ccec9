#include "run/hunt_plan_check.hpp"

#include <string>
#include <utility>

#include "run/placeholders.hpp"
#include "run/report_glob.hpp"
#include "run/run_once.hpp"

namespace flakestat::run {
namespace {

Error usage(std::string message) { return {ErrorKind::usage, std::move(message)}; }

// Copies that write to one place would overwrite each other's report.
Result<void> check_report_places(const HuntPlan& plan) {
  const bool own_paths = report_path(plan, 1) != report_path(plan, 2);
  if (plan.parallel <= 1 || plan.junit.empty() || own_paths || has_own_place(plan, report_path(plan, 1))) return {};
  return usage(
      "--junit " + plan.junit + ": " + std::to_string(plan.parallel) +
      " copies at a time would write to one path that is not isolated; put {run} into it, and into the command "
      "(or use {junit} there)");
}

}  // namespace

Result<void> check_plan(const HuntPlan& plan) {
  if (plan.command.empty() || plan.command.front().empty())
    return usage("there is no command to run: put it behind --");
  if (plan.runs < 1) return usage("--runs " + std::to_string(plan.runs) + ": at least one run is needed");
  if (plan.parallel < 1) return usage("--parallel " + std::to_string(plan.parallel) + ": at least one run at a time");
  if (plan.timeout && plan.timeout->count() <= 0) return usage("--timeout: must be more than nothing");
  FLAKESTAT_TRY(check_report_places(plan));
  if (!uses_junit(plan.command)) return {};
  if (plan.junit.empty()) return usage("the command uses {junit}, but there is no --junit: add --junit PATH");
  if (is_glob(plan.junit))
    return usage("{junit} in the command needs one path, but --junit " + plan.junit + " is a glob");
  return {};
}

}  // namespace flakestat::run
