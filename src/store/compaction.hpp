// Compaction of the log: lines that no verdict looks at go, everything else stays byte for byte
// (docs/formats/store.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/compaction_plan.hpp"
#include "sys/file_calls.hpp"
#include "sys/lock_directory.hpp"

namespace flakestat::store {

struct CompactOptions {
  bool dry_run = false;                                    ///< change nothing, say what would be done
  bool salvage = false;                                    ///< move what is no record to `runs.rejected.ndjson`
  std::function<void(std::uint64_t total)> on_block = {};  ///< after each of about `total` blocks of work
  sys::FileCalls calls = {};                               ///< for tests
  sys::LockDirectoryOptions lock_directory = {};
};

struct CompactResult {
  std::uint64_t lines = 0;  ///< records and rejected pieces; the sum of the four below
  std::uint64_t kept = 0;
  std::uint64_t duplicates = 0;  ///< executions that another line says, and the scorer takes
  std::uint64_t superseded = 0;  ///< of damaged reports that a whole report brought again
  std::uint64_t rejected = 0;    ///< pieces that are no record
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
  std::vector<std::string> notes;
};

/// `<dir>/runs.rejected.ndjson`: what salvaging took out of the log.
[[nodiscard]] inline std::string rejected_path(const std::string& dir) { return dir + "/runs.rejected.ndjson"; }

/// Rewrites the log without the records that `rule` calls duplicates and without superseded ones (history_reader.hpp).
/// Holds the exclusive lock from the first read to the rename, so no append is lost; a crash at any moment leaves the
/// old log or the new one, whole. A log that is not there is empty; one with nothing to drop is left alone.
/// Errors: `damaged`, naming place and size, for bytes that are no record (unless `salvage`); `io`. After an error
/// before the rename the log is what it was.
[[nodiscard]] Result<CompactResult> compact(const std::string& dir, ExecutionRule& rule,
                                            const CompactOptions& options = {});

}  // namespace flakestat::store
