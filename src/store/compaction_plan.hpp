// What of a log can go without changing what anybody computes from it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/observation.hpp"
#include "store/log_reader.hpp"

namespace flakestat::store {

/// Which records say the same execution again: the scorer's own rule, handed in, since this layer knows no scores.
class ExecutionRule {
 public:
  ExecutionRule() = default;
  ExecutionRule(const ExecutionRule&) = delete;
  ExecutionRule& operator=(const ExecutionRule&) = delete;
  virtual ~ExecutionRule() = default;

  /// Records that have an exec_key; they are numbered 0, 1, ... as they come. The view lives during the call only.
  virtual void add(const ObservationView& record) = 0;
  /// The numbers of those that do not count.
  [[nodiscard]] virtual std::vector<std::uint32_t> duplicates() = 0;
};

/// A stretch of the log.
struct LogRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The log as it is: a descriptor and how much of it counts.
struct LogBytes {
  int fd = -1;
  std::uint64_t size = 0;
  std::string path;                ///< for messages
  std::function<void()> on_block;  ///< may be empty; after about every half MiB that was read
};

struct CompactionPlan {
  ReadStats stats;                ///< of all lines
  std::uint64_t duplicates = 0;   ///< equal exec_keys
  std::uint64_t superseded = 0;   ///< lines of damaged reports that a whole report brought again
  std::uint64_t rejected = 0;     ///< pieces that are no record, a torn tail included
  std::vector<LogRange> cuts;     ///< all that goes, ascending
  std::vector<LogRange> damaged;  ///< the rejected pieces, ascending; a part of `cuts`
};

/// Decides with `rule`. Memory: 16 bytes a record that has an exec_key, 16 a line that goes, and what the rule needs.
/// Errors: `io`.
[[nodiscard]] Result<CompactionPlan> plan_compaction(const LogBytes& log, ExecutionRule& rule);

/// What stays, in order, in stretches as long as possible. Ends at the first error.
[[nodiscard]] Result<void> for_each_kept(const CompactionPlan& plan, std::uint64_t size,
                                         const std::function<Result<void>(const LogRange&)>& visit);

}  // namespace flakestat::store
