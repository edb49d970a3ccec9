// What parallel copies of a hunted command get of their own: decided from flags and from what the machine can do.
#pragma once

#include "app/provenance.hpp"
#include "app/requests.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "run/hunt.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {

/// Fills in the plan's isolation and says through `world` what copies share. Where nothing of what was wanted can be
/// isolated the plan becomes sequential. Errors: usage for a bad --isolate, or flags that make no sense together.
[[nodiscard]] Result<void> isolate_copies(const World& world, const HuntRequest& request, const Provenance& provenance,
                                          sys::InterruptSource& interrupts, run::HuntPlan& plan);

}  // namespace flakestat::app
