// Reads the observation log line by line; accounts for every byte it skips.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/observation.hpp"

namespace flakestat::store {

/// Bytes that are no observation.
struct Skipped {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string reason;
};

struct ReadStats {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;  ///< size read
  std::uint64_t skipped_count = 0;
  std::uint64_t skipped_bytes = 0;
  std::vector<Skipped> skipped;      ///< the first 20 damaged middle lines
  std::optional<Skipped> torn_tail;  ///< a last line without its end: normal after a crash
};

/// Every observation of `<dir>/runs.ndjson` in file order, duplicates included (they are dropped where executions are
/// compared: stats::History). A log that is not there is no error and has no lines. Errors: `io` only.
[[nodiscard]] Result<ReadStats> read_log(const std::string& dir,
                                         const std::function<void(const ObservationView&)>& on_observation);

/// `flakestat: 1 damaged line skipped: offset ..., size ...: ...`: a warning line each, for stderr.
[[nodiscard]] std::vector<std::string> describe(const ReadStats& stats, const std::string& path);

}  // namespace flakestat::store
