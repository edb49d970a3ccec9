// Whether a plan makes sense, before anything runs.
#pragma once

#include "base/result.hpp"
#include "run/hunt.hpp"

namespace flakestat::run {

/// A usage error that names what does not fit together, and the mend.
[[nodiscard]] Result<void> check_plan(const HuntPlan& plan);

}  // namespace flakestat::run
