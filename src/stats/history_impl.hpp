// What a History holds. Included by the files of this layer that implement its members.
#pragma once

#include "stats/duplicates.hpp"
#include "stats/observation_store.hpp"
#include "stats/scoring.hpp"

namespace flakestat::stats {

struct History::Impl {
  ObservationStore store;
};

}  // namespace flakestat::stats
