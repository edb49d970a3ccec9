// One run of a hunt, before and after its command: what is started, and what came of it.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "run/hunt.hpp"
#include "run/report_slot.hpp"

namespace flakestat::run {

/// A run that may start: its command, and the place of its report made ready.
struct PreparedRun {
  RunOrder order;
  sys::ChildSpec spec;
  std::shared_ptr<const ReportSlot> slot;  ///< nothing without --junit; copies with one path share it
  UnixMillis started = 0;
};

/// What one run gave: how it went, and its cases.
struct RunOnce {
  RunResult result;
  RunEvidence evidence;  ///< cases and summary as far as the report got
  sys::OutputCapture output;
  std::vector<std::string> reports;  ///< fresh ones, as they can be opened while the run's files are there
  int start_error = 0;               ///< failed_to_start: the errno
  std::string start_problem;
};

/// `shared`: a place that is ready already, for copies that write to one path in trees of their own. Errors: those of
/// ReportSlot::prepare.
[[nodiscard]] Result<PreparedRun> prepare_run(const HuntPlan& plan, const HuntHost& host, const RunOrder& order,
                                              std::shared_ptr<const ReportSlot> shared = nullptr);

/// Reads the report. `root` is where the command's files are: a prefix of absolute paths, empty for ours.
[[nodiscard]] RunOnce finish_run(const HuntHost& host, const PreparedRun& run, sys::ChildResult&& child,
                                 const std::string& root);

/// The report path of one run: absolute, `{run}` expanded; empty when the plan has none.
[[nodiscard]] std::string report_path(const HuntPlan& plan, int run);

/// True when every copy of the plan has this absolute path, or the folders of this glob, for itself.
[[nodiscard]] bool has_own_place(const HuntPlan& plan, const std::string& path);

/// Copies of the plan cannot meet in the network: what they show without verification is proof (design, section 7).
[[nodiscard]] bool has_own_network(const HuntPlan& plan);

[[nodiscard]] RunEnd run_end(sys::ChildEnd end);

[[nodiscard]] RunFacts facts_of(const RunResult& result);

}  // namespace flakestat::run
