// What a hunt is to show: from flags and settings to the plan, and from the result to what the document says of it.
#pragma once

#include <optional>

#include "app/requests.hpp"
#include "app/settings.hpp"
#include "base/result.hpp"
#include "report/hunt_settling.hpp"
#include "run/hunt.hpp"

namespace flakestat::app {

/// Lays --runs, --rule-out, --settle, --max-time, --select, --id, --join and --filter over the plan. Without --runs as
/// a flag --rule-out decides how many runs there are. Errors are of kind usage.
[[nodiscard]] Result<void> set_target(const HuntRequest& request, const Settings& settings, run::HuntPlan& plan);

/// Before the first run: nothing is known of any test.
[[nodiscard]] report::HuntGoal goal_of(const run::HuntPlan& plan);

/// At the end.
[[nodiscard]] report::HuntGoal goal_of(const run::HuntPlan& plan, const run::HuntResult& found);

}  // namespace flakestat::app
