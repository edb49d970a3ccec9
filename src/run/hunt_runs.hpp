// The runs of a hunt that are under way: alone through the ChildRunner, beside each other through the ConcurrentRunner.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "run/run_once.hpp"

namespace flakestat::run {

class HuntRuns {
 public:
  HuntRuns(const HuntPlan& plan, const HuntHost& host, const HuntEvents& events)
      : plan_(plan), host_(host), events_(events) {}

  /// Errors: those of prepare_run and of ConcurrentRunner::start.
  [[nodiscard]] Result<void> start(const RunOrder& order);
  [[nodiscard]] int running() const { return static_cast<int>(beside_.size()) + (alone_ ? 1 : 0); }
  /// Blocks until a run that was started has ended (one alone is run here), reads what it left and
  /// tells of it (`HuntEvents::left`). Needs one.
  [[nodiscard]] RunOnce next(const std::function<void()>& tick);

 private:
  [[nodiscard]] RunOnce finish(const PreparedRun& run, sys::ChildResult&& child, const std::string& root) const;
  [[nodiscard]] std::shared_ptr<const ReportSlot> shared_slot(const RunOrder& order) const;

  const HuntPlan& plan_;
  const HuntHost& host_;
  const HuntEvents& events_;
  std::optional<PreparedRun> alone_;
  std::map<int, PreparedRun> beside_;       ///< by the ConcurrentRunner's number
  std::shared_ptr<const ReportSlot> slot_;  ///< of copies that write to one path, each in a tree of its own
};

}  // namespace flakestat::run
