// `flakestat hunt --replay RUN`: one run of an earlier hunt again.
#pragma once

#include <string>
#include <string_view>

#include "app/requests.hpp"
#include "app/settings.hpp"
#include "app/world.hpp"
#include "base/result.hpp"

namespace flakestat::app {

/// Which run: `7` of the latest hunt, `RUN_ID:7` of another (the beginning of its id is enough).
struct ReplayTarget {
  std::string hunt;  ///< empty: the latest
  int run = 1;

  friend bool operator==(const ReplayTarget&, const ReplayTarget&) = default;
};

/// Pure. Errors: usage.
[[nodiscard]] Result<ReplayTarget> parse_replay(std::string_view text);

/// Says the command, runs it as then, passes its output on to `world.warn` line by line, and says how it ended. Ends
/// with the command's exit code, 128 and the number of the signal that ended it or us, or 124 after the time limit.
/// Nothing is stored. Errors: `missing` for no such hunt, run, directory or program; those of store::find_hunt.
[[nodiscard]] Result<Ending> replay(const World& world, const HuntRequest& request, const Settings& settings);

}  // namespace flakestat::app
