// What accompanies a hunt beside its log: what it says, what it records for replays, what it keeps of failures.
#pragma once

#include <optional>
#include <string>

#include "app/hunt_recorder.hpp"
#include "app/hunt_reproductions.hpp"
#include "app/hunt_voice.hpp"
#include "app/kept_failures.hpp"
#include "app/provenance.hpp"
#include "app/requests.hpp"
#include "app/world.hpp"
#include "report/hunt.hpp"
#include "run/hunt.hpp"
#include "sys/clock.hpp"

namespace flakestat::app {

/// Lives from before a hunt until its document is written. Not thread-safe.
class HuntWatch {
 public:
  HuntWatch(const World& world, const sys::Clock& clock, const run::HuntPlan& plan, const Provenance& provenance,
            const HuntRequest& request, const std::string& dir);

  /// Listens to the events, beside what listens already, and tells of the plan.
  void connect(run::HuntEvents& events);
  /// The hunt is over, however it ended. The error of the first event that could not be written.
  [[nodiscard]] Result<void> over();
  /// How disagreements are made again, and what is kept.
  void describe(const run::HuntResult& found, report::HuntSummary& summary);

 private:
  void left(const run::RunLeavings& left);
  [[nodiscard]] std::string again(int run) const;

  const run::HuntPlan& plan_;
  std::string run_id_;
  std::optional<std::string> dir_flag_;
  store::HuntRecord started_;
  HuntRecorder recorder_;
  KeptFailures kept_;
  Reproductions reproductions_;
  HuntVoice voice_;
};

}  // namespace flakestat::app
