#include "stats/test_details.hpp"

#include <algorithm>

namespace flakestat::stats {

TestDetails::TestDetails(const Trace& trace, TestId test) : trace_(trace), test_(test) {
  for (std::uint32_t i = 0; i < trace.executions.size(); ++i) {
    if (!trace.executions[i].unrecorded) wanted_.push_back(i);
  }
  std::sort(wanted_.begin(), wanted_.end(), [&trace](std::uint32_t a, std::uint32_t b) {
    return trace.executions[a].record < trace.executions[b].record;
  });
}

void TestDetails::see(const ObservationView& observation) {
  const std::uint32_t record = record_++;
  if (next_ >= wanted_.size() || trace_.executions[wanted_[next_]].record != record) return;
  const TracedExecution& e = trace_.executions[wanted_[next_++]];
  if (observation.test_id != test_) return;
  if (e.skipped()) {
    if (e.sanitised && (sanitised_.size() < kMostAssumptions)) {
      ++sanitised_[std::string(observation.sanitised_assumption)];
    }
    return;
  }
  if (observation.status != e.status) return;
  if (observation.would_sanitise) ++would_sanitise_;
  if (e.failed()) messages_.add(observation.message, e.time);
  if (observation.duration_ms) (e.failed() ? fail_durations_ : pass_durations_).push_back(*observation.duration_ms);
}

}  // namespace flakestat::stats
