// How long the ledger remembers: FLAKESTAT_FLAKE_RETENTION_DAYS, RSTEST_FLAKE_RETENTION_DAYS.
#pragma once

#include "app/world.hpp"
#include "base/result.hpp"
#include "store/ledger_sum.hpp"

namespace flakestat::app {

/// Now, and the retention: of the first variable that is set and not empty; 90 days when neither is; 0: for ever.
/// Errors: `config` for what is no whole number of days.
[[nodiscard]] Result<store::LedgerAge> ledger_age(const World& world);

}  // namespace flakestat::app
