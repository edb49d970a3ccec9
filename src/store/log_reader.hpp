// Reads the observation log line by line; accounts for every byte it skips.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/observation.hpp"

namespace flakestat::store {

/// Bytes that are no observation.
struct Skipped {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string reason;

  friend bool operator==(const Skipped&, const Skipped&) = default;
};

/// Where every byte of a log went: `bytes == record_bytes + blank_bytes + skipped_bytes + torn_tail->size`, always.
struct ReadStats {
  std::uint64_t lines = 0;         ///< observations given to the callback
  std::uint64_t bytes = 0;         ///< size read
  std::uint64_t record_bytes = 0;  ///< of observations, line ends included
  std::uint64_t blank_bytes = 0;   ///< of empty lines
  std::uint64_t skipped_count = 0;
  std::uint64_t skipped_bytes = 0;
  std::vector<Skipped> skipped;      ///< the first 20 damaged middle lines (or damaged parts of lines)
  std::uint64_t superseded = 0;      ///< lines of damaged reports that a whole report brought again (read_history)
  std::optional<Skipped> torn_tail;  ///< a last line without its end: normal after a crash

  /// The bytes that have a place; equals `bytes`.
  [[nodiscard]] std::uint64_t accounted() const {
    return record_bytes + blank_bytes + skipped_bytes + (torn_tail ? torn_tail->size : 0);
  }
};

using OnObservation = std::function<void(const ObservationView&)>;

/// Every observation of `<dir>/runs.ndjson` in file order, duplicates included (they are dropped where executions are
/// compared: stats::History). The callback runs on the calling thread; a second thread reads and parses ahead.
/// What a writer has appended while we read is left for the next reader, so a batch under way is not taken for damage.
/// A log that is not there is no error and has no lines. Errors: `io` only.
[[nodiscard]] Result<ReadStats> read_log(const std::string& dir, const OnObservation& on_observation);

/// The same of bytes in memory.
[[nodiscard]] ReadStats read_log_bytes(std::string_view bytes, const OnObservation& on_observation);

/// A warning a line, for stderr: `runs.ndjson: damaged line skipped: 214 bytes at offset 1093: no whole JSON object`.
[[nodiscard]] std::vector<std::string> describe(const ReadStats& stats, const std::string& path);

}  // namespace flakestat::store
