// A word about names that change with every run, for commands that only score.
#pragma once

#include "app/scored_history.hpp"
#include "app/world.hpp"

namespace flakestat::app {

/// Warns when the newest run's names look made for it alone. Costs nothing to speak of where few tests were seen once.
void warn_of_changing_names(const World& world, const ScoredHistory& scored);

}  // namespace flakestat::app
