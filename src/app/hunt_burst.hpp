// The burst as it goes: every run's evidence is stored and remembered for scoring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/provenance.hpp"
#include "app/settings.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "model/observation.hpp"
#include "run/hunt.hpp"
#include "stats/scoring.hpp"

namespace flakestat::app {

class HuntBurst {
 public:
  /// `most_held`: observations; beyond that they are stored unverified.
  HuntBurst(const World& world, const Settings& settings, const Provenance& provenance, std::size_t most_held = 200'000)
      : world_(world), settings_(settings), provenance_(provenance), most_held_(most_held) {}

  /// Appends a run's observations to the log, less those in doubt: they are held until it is known whether they are
  /// contended. When there are too many, they are stored unverified, which is said.
  [[nodiscard]] Result<void> store(run::RunEvidence&& evidence);
  /// Stores what is held; the observations of these tests are marked contended.
  [[nodiscard]] Result<void> release(const std::vector<run::Doubt>& contended);

  /// Observations that reached the log.
  [[nodiscard]] std::uint64_t stored() const { return stored_; }
  [[nodiscard]] const stats::History& history() const { return history_; }

 private:
  [[nodiscard]] Result<void> append(const std::vector<Observation>& observations);

  const World& world_;
  const Settings& settings_;
  const Provenance& provenance_;
  stats::History history_;
  std::size_t most_held_;
  std::vector<Observation> held_;
  std::uint64_t stored_ = 0;
};

}  // namespace flakestat::app
