// A run of any command that writes a report.
#pragma once

#include "app/run_memory.hpp"
#include "app/run_pytest.hpp"
#include "app/run_setup.hpp"
#include "base/result.hpp"
#include "model/run_event.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {

/// Runs it; the end is not yet told to the sink. Errors: usage without a command or for flags that cannot be used here;
/// those of adapters::GenericRun.
[[nodiscard]] Result<RunFinished> run_generic(const RunSetup& setup, RunMemory& memory, const sys::SystemClock& clock,
                                              sys::Signals& signals, const RunHost& host);

}  // namespace flakestat::app
