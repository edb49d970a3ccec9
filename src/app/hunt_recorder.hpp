// Keeps what one run of a hunt needs to be made again (store/hunt_record.hpp), while the hunt goes.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/provenance.hpp"
#include "app/world.hpp"
#include "run/hunt.hpp"
#include "store/hunt_record.hpp"
#include "sys/clock.hpp"

namespace flakestat::app {

/// The record of a hunt that is about to begin. `record_env` names variables whose values are read now.
[[nodiscard]] store::HuntRecord new_record(const World& world, const run::HuntPlan& plan, const Provenance& provenance,
                                           const std::vector<std::string>& record_env);

/// Errors: usage for what is no name of a variable, and for a name that flakestat sets itself.
[[nodiscard]] Result<void> check_record_env(const std::vector<std::string>& names);

/// The run's own command, where it is not the plan's with `{run}` and `{junit}` filled in.
[[nodiscard]] std::optional<store::RecordedCommand> own_command(const run::HuntPlan& plan,
                                                                const run::RunLeavings& left);

/// Writes the record after the first run, then every five seconds, after a failed run every second, and at the end;
/// less often when writing is slow. A record that cannot be written never disturbs the hunt: that is warned of once.
/// Not thread-safe.
class HuntRecorder {
 public:
  HuntRecorder(const World& world, const sys::Clock& clock, std::string dir, const run::HuntPlan& plan,
               store::HuntRecord record);

  /// A run has ended.
  void add(const run::RunLeavings& left);
  /// The hunt is over.
  void finish();

 private:
  void write();

  const World& world_;
  const sys::Clock& clock_;
  std::string dir_;
  const run::HuntPlan& plan_;
  store::HuntRecord record_;
  std::optional<std::chrono::milliseconds> written_;  ///< when
  std::chrono::milliseconds cost_{0};                 ///< of the last write
  bool warned_ = false;
};

}  // namespace flakestat::app
