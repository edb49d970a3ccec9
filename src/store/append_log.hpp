// The observation log `<dir>/runs.ndjson`: durable appends under a lock (design, section 4; docs/formats/store.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/observation.hpp"

namespace flakestat::store {

struct AppendResult {
  std::uint64_t stored = 0;
  std::uint64_t duplicates = 0;    ///< dropped: their exec_key was in the log or earlier in the batch
  std::vector<std::string> notes;  ///< a healed torn tail, a lock directory in place of flock, ...
};

/// Appends the batch whole, under the exclusive lock, flushed to disk before it returns; creates the folder and the
/// log. Safe between processes and threads. On an error nothing of the batch is in the log.
[[nodiscard]] Result<AppendResult> append(const std::string& dir, std::span<const Observation> batch);

}  // namespace flakestat::store
