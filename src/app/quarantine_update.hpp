// A committed quarantine list: edited in place, or checked.
#pragma once

#include "app/requests.hpp"
#include "app/world.hpp"
#include "base/result.hpp"

namespace flakestat::app {

/// `--update`: adds what is flaky now, proposes (or, with --prune, makes) the removal of recovered entries.
[[nodiscard]] Result<Ending> update_quarantine(const World& world, const QuarantineRequest& request);

/// `--validate`: names every entry that should not be there; `failed` when there is one.
[[nodiscard]] Result<Ending> validate_quarantine(const World& world, const QuarantineRequest& request);

}  // namespace flakestat::app
