// `--filter`: which scored tests are shown. Scores never depend on it: an outage is a matter of the whole job.
#pragma once

#include <optional>
#include <string>

#include "stats/scoring.hpp"

namespace flakestat::app {

/// Removes the tests that neither the glob (on display names) nor the 16-digit test_id selects.
void keep_shown(stats::Scores& scores, const std::optional<std::string>& filter);

}  // namespace flakestat::app
