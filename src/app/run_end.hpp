// The end of a run: what must be said last, the files that were asked for, the exit code.
#pragma once

#include "app/requests.hpp"
#include "app/run_memory.hpp"
#include "app/run_setup.hpp"
#include "base/result.hpp"
#include "model/run_event.hpp"
#include "model/shard_manifest.hpp"
#include "report/run_record.hpp"

namespace flakestat::app {

/// Said first and last of a run whose reruns are for known flaky tests when none is known.
inline constexpr const char* kNothingKnown =
    "--reruns-only-known-flaky: the ledger knows no flaky test, so that none qualifies for reruns; a learning run "
    "without "
    "this flag builds the history";

/// What is to be known of the user's list and flags once all tests have settled: adds to the reasons, and lets a run
/// with flaky tests fail where that was asked for. `folders` are those of the projects that ran; none: one, at the
/// root.
void conclude_run(const RunSetup& setup, const RunMemory& memory, const report::RunRecord& record,
                  const std::vector<std::string>& folders, RunFinished& finished);

/// Writes the report files. Errors: io, naming the file.
[[nodiscard]] Result<void> write_run_files(const RunSetup& setup, const report::RunRecord& record);

/// The manifest of a shard that has ended.
[[nodiscard]] ShardManifest ended_shard(ShardManifest manifest, const report::RunRecord& record);

}  // namespace flakestat::app
