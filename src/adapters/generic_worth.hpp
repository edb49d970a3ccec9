// What one run of somebody's test command is worth: whether its results may be believed, and what is wrong when not.
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/run_event.hpp"
#include "run/hunt.hpp"

namespace flakestat::adapters {

/// The run before, of the same command: what this one is measured by.
struct KnownRun {
  std::size_t tests = 0;
  bool same_code = false;  ///< nothing has changed since, so no test can have gone
};

enum class Worth : std::uint8_t {
  sound,        ///< ended by itself and reported; failing cases are the tests' business
  nothing_ran,  ///< a whole report without a case
  broken,       ///< the runner failed: passes are not believed, and nothing makes up for it
};

struct RunWorth {
  Worth worth = Worth::sound;
  std::string problem;  ///< not sound: what happened, one raw line
  RunTrouble trouble = RunTrouble::none;
  int exit_code = 0;     ///< not sound: ours
  std::string warning;   ///< sound all the same
  bool believed = true;  ///< its passes; false: the runner says that something failed, but not what

  [[nodiscard]] bool sound() const { return worth == Worth::sound; }
};

/// Exit codes for a runner that failed: its own, 128 and the signal's number as shells have it, 70 when it has none.
inline constexpr int kBroken = 70;
inline constexpr int kSignalled = 128;

/// What is known of the cases of a run.
struct CaseFacts {
  std::size_t tests = 0;
  bool any_failing = false;
};

/// A run that ended (RunResult::end is not `interrupted`). Without reports (`ReportState::not_asked`) every exit code
/// is the test's; a signal or the time limit is trouble of the runner all the same.
[[nodiscard]] RunWorth worth_of(const run::RunResult& result, const CaseFacts& cases,
                                const std::optional<KnownRun>& known);

}  // namespace flakestat::adapters
