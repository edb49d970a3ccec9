#include "report/hunt_log.hpp"

#include "report/hunt_ends.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::int64_t kBetweenLines = 1000;

std::string tests_of(const HuntRun& run) {
  const auto& counts = run.counts;
  if (counts.tests == 0) return run.report_problem.empty() ? "" : ", no report: " + run.report_problem;
  const auto failed = counts.failures + counts.errors;
  auto line = ", " + std::to_string(failed) + " failed of " + std::to_string(counts.tests);
  if (counts.skipped > 0) line += ", " + std::to_string(counts.skipped) + " skipped";
  return run.report_problem.empty() ? line : line + ", " + run.report_problem;
}

}  // namespace

std::string run_line(const HuntRun& run) {
  return text::escape_terminal("run " + std::to_string(run.run) + ": " + short_end(run) + tests_of(run) + ", " +
                               format_duration(run.wall_ms));
}

bool RunLines::wants(bool failed, std::int64_t now_ms) {
  if (thinned_ && !failed && last_ms_ && now_ms - *last_ms_ < kBetweenLines) return false;
  last_ms_ = now_ms;
  return true;
}

}  // namespace flakestat::report
