// The observations that count: the log less what damaged reports left and whole ones brought again.
#pragma once

#include <string>

#include "base/result.hpp"
#include "store/log_reader.hpp"

namespace flakestat::store {

/// Like read_log, without the superseded lines of damaged reports (design, section 5; counted in `superseded`). A
/// damaged report yields the cases before the damage, marked `partial`; when the whole report is ingested too, in
/// either order or into another log that was merged, its lines say the same of the same executions under other
/// exec_keys.
///
/// The line of a damaged report (`partial` with an `artifact`) is superseded by a line of a whole one with the same
/// test, start, dimensions, status, duration and message. Whatever differs is another execution, and both count. Lines
/// of damaged reports come last; the others keep the file's order. Errors: `io`.
[[nodiscard]] Result<ReadStats> read_history(const std::string& dir, const OnObservation& on_observation);

}  // namespace flakestat::store
