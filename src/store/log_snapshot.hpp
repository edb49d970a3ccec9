// The log as it was at one moment: opened once, readable several times.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "store/log_reader.hpp"
#include "sys/fd.hpp"

namespace flakestat::store {

/// Up to the size that the log had between two batches, where the lock could be had for a moment (else its size then).
/// Later appends and a compaction that renames another file into place do not show. Not thread-safe.
class LogSnapshot {
 public:
  /// A log that is not there is empty. Errors: `io`.
  [[nodiscard]] static Result<LogSnapshot> open(const std::string& dir);

  /// Every observation, from the start, in file order.
  [[nodiscard]] Result<ReadStats> read(const OnObservation& on_observation) const;

 private:
  std::string path_;
  sys::Fd fd_;  ///< none: no log
  std::uint64_t size_ = 0;
};

}  // namespace flakestat::store
