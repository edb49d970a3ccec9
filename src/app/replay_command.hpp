// One run of a recorded hunt as it is made again. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/hunt_record.hpp"
#include "sys/child.hpp"

namespace flakestat::app {

/// What to start for the run of this number: argv, variables, directory, time limit. `run` is that run as it is listed.
/// Errors: `missing` when its command was not recorded for want of room.
[[nodiscard]] Result<sys::ChildSpec> replay_spec(const store::HuntRecord& record, const store::RecordedRun& run);

/// Where that run's report goes: absolute, a path or a glob; empty for exit codes only.
[[nodiscard]] std::string replayed_report(const store::HuntRecord& record, int run);

/// The same for a shell, exact and harmless to print: `cd -- /shop && FLAKESTAT_RUN=7 pytest -q`.
[[nodiscard]] std::string shell_line(const sys::ChildSpec& spec);

}  // namespace flakestat::app
