// What a failing run left, kept for a look at it: `<dir>/failures/<run_id>-run-<n>/`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/world.hpp"
#include "base/result.hpp"
#include "run/hunt.hpp"
#include "sys/child.hpp"

namespace flakestat::app {

/// For --until-fail. Which run failed with the disagreeing test is known at the end, so every failing run is kept while
/// the hunt goes (the newest 20) and the others are removed then, as are folders of earlier hunts beyond 20 or 90 days.
/// A folder holds output.txt (raw, within the output limit), report.xml or, of several reports, report/..., and
/// command.txt. What cannot be kept is warned of once and disturbs nothing. Not thread-safe.
class KeptFailures {
 public:
  KeptFailures(const World& world, std::string dir, std::string run_id);

  /// A run has ended; kept when it failed. `line` is its command for a shell, `again` the one that replays it.
  void add(const run::RunLeavings& left, const std::string& line, const std::string& again);
  /// The folder of that run, all others of this hunt removed. Nothing when it was not kept.
  [[nodiscard]] std::optional<std::string> conclude(std::optional<int> run);

 private:
  [[nodiscard]] Result<void> keep(const run::RunLeavings& left, const std::string& folder,
                                  const std::string& text) const;

  const World& world_;
  std::string dir_, run_id_;
  std::map<int, std::string> folders_;
  bool warned_ = false;
};

/// Where in its folder each report goes: `report.xml`, or `report/` and the path below what all have in common. Pure.
[[nodiscard]] std::vector<std::string> kept_names(const std::vector<std::string>& reports);

}  // namespace flakestat::app
