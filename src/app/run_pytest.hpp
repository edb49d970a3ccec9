// A run of pytest: which interpreter, how many workers, what is to be run of what was collected.
#pragma once

#include <optional>

#include "adapters/pytest_command.hpp"
#include "adapters/pytest_run.hpp"
#include "app/run_memory.hpp"
#include "app/run_setup.hpp"
#include "base/result.hpp"
#include "model/run_event.hpp"
#include "model/shard_manifest.hpp"
#include "sys/clock.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {

/// What the run needs of the outside.
struct RunHost {
  const sys::Clock& clock;
  sys::InterruptSource& interrupts;
  RunSink& sink;
  std::function<void()> tick;
};

/// Nothing: the command is not pytest's. Errors: missing, without any Python.
[[nodiscard]] Result<std::optional<adapters::PytestCommand>> find_pytest(const RunSetup& setup);

/// The command names files or folders: what lies elsewhere is not run.
[[nodiscard]] bool chooses_files(const RunSetup& setup);

/// How it went, not yet told to the sink.
struct AdapterResult {
  RunFinished finished;
  std::optional<ShardManifest> shard;  ///< as it began
  std::vector<std::string> folders;    ///< of the projects, relative to where the run began
};

/// Runs it. Errors: an interpreter that is not there, bad patterns in
/// marks.
[[nodiscard]] Result<AdapterResult> run_pytest(const RunSetup& setup, const adapters::PytestCommand& command,
                                               RunMemory& memory, const RunHost& host);

}  // namespace flakestat::app
