// What a hunt says while it goes: a live block on a terminal, a line a run in a log, an event a line for tools.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/world.hpp"
#include "report/hunt_live.hpp"
#include "report/hunt_log.hpp"
#include "run/hunt.hpp"
#include "sys/clock.hpp"

namespace flakestat::app {

/// Of the three only those that fit: events with --format ndjson; the block where `progress` is seen by somebody, and
/// is not on the same terminal as events; else lines, which --quiet silences. Not thread-safe.
class HuntVoice {
 public:
  HuntVoice(const World& world, const sys::Clock& clock, const run::HuntPlan& plan, bool events);

  /// Before the first run.
  void begin(const std::string& run_id);
  void progress(const run::HuntProgress& now);
  void ended(const run::RunResult& run);
  void tallied(int run, const run::Outcomes& outcomes);
  /// The block is cleared. The error of the first event that could not be written.
  [[nodiscard]] Result<void> finish();

 private:
  void tell(const std::string& event);
  void tell_disagreements(int run, const run::Outcomes& outcomes);

  const World& world_;
  const sys::Clock& clock_;
  const run::HuntPlan& plan_;
  bool events_;
  bool live_;
  report::RunLines lines_;
  std::vector<report::LiveTest> disagreeing_;  ///< those that the block names
  std::size_t others_ = 0;                     ///< disagreeing tests beyond them
  std::size_t told_ = 0;                       ///< disagreements
  Result<void> written_;
};

}  // namespace flakestat::app
