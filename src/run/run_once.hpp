// One run of a hunt: the command is started, watched and ended, and its report is read.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "run/hunt.hpp"

namespace flakestat::run {

/// What one run gave: how it went, and its cases.
struct RunOnce {
  RunResult result;
  RunEvidence evidence;  ///< cases and summary as far as the report got
  int start_error = 0;   ///< failed_to_start: the errno
  std::string start_problem;
};

/// Errors: those of ReportSlot::prepare.
[[nodiscard]] Result<RunOnce> run_once(const HuntPlan& plan, const HuntHost& host, int run,
                                       const std::function<void()>& tick);

/// The report path of one run: absolute, `{run}` expanded; empty when the plan has none.
[[nodiscard]] std::string report_path(const HuntPlan& plan, int run);

[[nodiscard]] RunFacts facts_of(const RunResult& result);

}  // namespace flakestat::run
