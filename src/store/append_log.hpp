// The observation log `<dir>/runs.ndjson`: durable appends under a lock (design, section 4; docs/formats/store.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/observation.hpp"
#include "store/encoded_batch.hpp"
#include "sys/file_calls.hpp"
#include "sys/lock_directory.hpp"

namespace flakestat::store {

struct AppendResult {
  std::uint64_t stored = 0;
  std::uint64_t duplicates = 0;    ///< dropped: their exec_key was in the log or elsewhere in the batch
  std::vector<std::string> notes;  ///< a healed torn tail, a lock directory in place of flock, ...
};

struct AppendOptions {
  sys::FileCalls calls;  ///< for tests
  sys::LockDirectoryOptions lock_directory;
  bool keys_are_new = false;  ///< made for a run that has just begun: the log holds none of them and is not searched
  bool flush_later = false;   ///< the caller calls flush before it reports success; until then a power cut may lose it
};

/// Appends the batch whole, under the exclusive lock, flushed to disk before it returns (but flush_later); creates the
/// folder and the log. Safe between processes and threads. On an error nothing of the batch is in the log (when even
/// cutting it back fails, the error says so). Errors: `io`, naming the path; `damaged` for a line longer than a log can
/// hold.
[[nodiscard]] Result<AppendResult> append(const std::string& dir, const EncodedBatch& batch,
                                          const AppendOptions& options = {});
[[nodiscard]] Result<AppendResult> append(const std::string& dir, std::span<const Observation> batch,
                                          const AppendOptions& options = {});

/// Flushes what was appended with flush_later. Errors: `io`; what was written may then be lost in a power cut.
[[nodiscard]] Result<void> flush(const std::string& dir, const AppendOptions& options = {});

}  // namespace flakestat::store
