// The burst as it goes: every run's evidence is stored and remembered for scoring. Each run is in the log before the
// next begins, so that no crash of ours loses it; it is flushed to disk at most once a second, since a flush may take
// longer than a short command, and in the end, before anything is reported.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/provenance.hpp"
#include "app/settings.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "model/observation.hpp"
#include "run/hunt.hpp"
#include "stats/scoring.hpp"
#include "store/append_log.hpp"
#include "sys/clock.hpp"

namespace flakestat::app {

struct BurstOptions {
  const sys::Clock& clock;
  bool new_run_id = true;           ///< no earlier observation can have this run's keys: the log need not be searched
  std::size_t most_held = 200'000;  ///< observations; beyond that they are stored as contended
};

class HuntBurst {
 public:
  HuntBurst(const World& world, const Settings& settings, const Provenance& provenance, const BurstOptions& options)
      : world_(world), settings_(settings), provenance_(provenance), options_(options) {
    append_.keys_are_new = options.new_run_id;
  }

  /// Appends a run's observations to the log, less those in doubt: they are held until it is known whether they are
  /// contended. When there are too many, they are stored as contended, which is said.
  [[nodiscard]] Result<void> store(run::RunEvidence&& evidence);
  /// Stores what is held and flushes the log; the observations of these tests are marked contended.
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
  BurstOptions options_;
  store::AppendOptions append_;
  std::optional<std::chrono::milliseconds> flushed_;
  std::vector<Observation> held_;
  std::uint64_t stored_ = 0;
};

}  // namespace flakestat::app
