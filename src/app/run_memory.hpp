// What a run remembers of earlier ones, and what it leaves for later ones: the ledger and pytest's own cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/world.hpp"
#include "base/result.hpp"
#include "model/ledger.hpp"
#include "model/run_event.hpp"
#include "store/durations.hpp"
#include "store/last_failed.hpp"
#include "store/ledger.hpp"
#include "store/shard_round.hpp"

namespace flakestat::app {

/// Read before the run, written after it; a sink in between. What cannot be written is told, and changes no result.
class RunMemory final : public RunSink {
 public:
  /// Errors: a ledger that is damaged.
  [[nodiscard]] static Result<RunMemory> open(const World& world, const std::string& dir);

  [[nodiscard]] LedgerCounts counts(const RunTest& test) const { return ledger_.counts(test); }
  /// Whether the ledger knows any flaky test at all.
  [[nodiscard]] bool knows_flaky() const;
  /// What the test is expected to take; nothing: not known.
  [[nodiscard]] std::optional<double> seconds(const RunTest& test) const;

  /// The durations by which a shard divides the suite.
  [[nodiscard]] Result<store::Durations> join_shard_round(const store::ShardRoundKey& key) const {
    return store::join_shard_round(dir_, key, durations_, world_.now());
  }

  /// What all known tests whose ids begin like this are expected to take.
  [[nodiscard]] double seconds_below(const std::string& prefix) const;

  void take(const RunEvent& event) override;

  /// Merges what the run had to tell into the ledger (not when `each` worker ran every test) The
  /// durations of what passed are kept in any case. Errors: the first that a file met.
  [[nodiscard]] Result<void> save(const std::string& run_id, bool each);
  /// Merges the run's results into pytest's cache; `folder` is the project's, whose ids the cache has without it.
  [[nodiscard]] Result<void> save_pytest_cache(const std::string& cachedir, const std::string& folder) const;

 private:
  RunMemory(const World& world, std::string dir) : world_(world), dir_(std::move(dir)) {}
  void settle(const TestSettled& event);
  [[nodiscard]] Result<void> save_durations() const;

  const World& world_;
  std::string dir_;
  store::LedgerAge age_;
  store::Ledger ledger_;
  store::Durations durations_;
  std::vector<RunTest> tests_;
  std::vector<LedgerEvent> events_;
  std::vector<std::pair<std::size_t, RunFate>> settled_;
  std::vector<std::pair<std::size_t, double>> passed_;  ///< seconds of passed executions
  std::vector<std::string> problems_;
};

}  // namespace flakestat::app
