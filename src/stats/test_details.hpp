// What a second read of the log tells of one test's executions: messages, durations, reasons of skips. The history does
// not keep them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/observation.hpp"
#include "stats/message_clusters.hpp"
#include "stats/spread.hpp"
#include "stats/trace.hpp"

namespace flakestat::stats {

/// Sees the observations that a history got, in the same order; looks only at those that its trace counts, so
/// duplicates are dropped exactly as in the score. What does not fit the trace (a log that changed in between) is left
/// out. Not thread-safe; the trace must outlive it.
class TestDetails {
 public:
  TestDetails(const Trace& trace, TestId test);

  void see(const ObservationView& observation);

  [[nodiscard]] const MessageClusters& messages() const { return messages_; }
  [[nodiscard]] Spread passes() const { return spread_of(pass_durations_); }
  [[nodiscard]] Spread failures() const { return spread_of(fail_durations_); }
  /// Executions that would have been sanitised, had it not only been reported.
  [[nodiscard]] std::uint64_t would_sanitise() const { return would_sanitise_; }
  /// Violated assumptions of sanitised executions and how often.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& sanitised() const { return sanitised_; }

 private:
  static constexpr std::size_t kMostAssumptions = 64;

  const Trace& trace_;
  TestId test_;
  std::vector<std::uint32_t> wanted_;  ///< executions with a line, by record
  std::size_t next_ = 0;
  std::uint32_t record_ = 0;
  MessageClusters messages_;
  std::vector<std::int64_t> pass_durations_;
  std::vector<std::int64_t> fail_durations_;
  std::map<std::string, std::uint64_t> sanitised_;
  std::uint64_t would_sanitise_ = 0;
};

}  // namespace flakestat::stats
