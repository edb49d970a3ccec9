// Which CI system this is and what it says of the run: read from a whitelist of variables, never from the whole
// environment (design, section 9; docs/ci.md has the table).
//
// A matrix on GitHub: GITHUB_JOB is the same for every leg and no variable tells the legs apart, so legs that differ in
// something no report says (a database, a Python version) must be told apart by --dimension, or reports without
// timestamps and with equal bytes count as one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/dimensions.hpp"

namespace flakestat::env {

/// The value of one variable; nothing when it is not set.
using EnvLookup = std::function<std::optional<std::string>(std::string_view name)>;

/// Variables of this process.
[[nodiscard]] std::optional<std::string> process_variable(std::string_view name);

/// What a recognised CI system says. Strings are trimmed; empty: not said.
struct CiRun {
  Dimensions dimensions;  ///< ci.provider, and where known ci.run_id, run_number, job_id, attempt, shard
  std::string branch;     ///< in a pull request the head ref; empty for a tag
  std::string commit;     ///< what was checked out, by the CI's own account
  std::string default_branch;
  std::string event_file;  ///< GitHub's description of the event, for apply_github_event
  bool from_fork = false;  ///< the pull request's branch lives in another repository
};

/// The recognised CI system, or nothing. Pure but for the lookups.
[[nodiscard]] std::optional<CiRun> detect_ci(const EnvLookup& variable);

/// Fills in what only GitHub's event file says: the default branch, and whether the head is a fork's. Anything that is
/// not there or not as expected is left alone.
void apply_github_event(std::string_view json, CiRun& run);

/// detect_ci, and the event file read when there is one (at most 32 MiB). A pull request from a fork whose branch is
/// named like the default branch gets the branch `fork:<name>`, so that it is not taken for the default branch.
[[nodiscard]] std::optional<CiRun> read_ci(const EnvLookup& variable);

/// The file that GitHub shows as the step's summary (GITHUB_STEP_SUMMARY); empty outside GitHub Actions.
[[nodiscard]] std::string step_summary_file(const EnvLookup& variable);

}  // namespace flakestat::env
