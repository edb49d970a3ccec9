// A run's events as observations of the log.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/provenance.hpp"
#include "base/result.hpp"
#include "model/observation.hpp"
#include "model/run_event.hpp"
#include "store/append_log.hpp"
#include "sys/clock.hpp"

namespace flakestat::app {

/// Every attempt becomes an observation once its test is settled; appended in batches, the first at once, then each
/// second, the rest at the end. What cannot be stored is remembered and told at the end: a full disk changes no test's
/// result. Not thread-safe.
class RunRecorder final : public RunSink {
 public:
  RunRecorder(std::string dir, const Provenance& provenance, const sys::Clock& clock);

  void take(const RunEvent& event) override;
  /// Appends what waits, flushed to disk. Errors: the first that any append met.
  [[nodiscard]] Result<void> finish();

  [[nodiscard]] std::uint64_t stored() const { return stored_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  void begin(const RunStarted& event);
  void settle(const TestSettled& event);
  void note(const std::string& id, Status status, const std::string& message);
  [[nodiscard]] Observation common() const;
  static void name(Observation& seen, const RunTest& test);
  [[nodiscard]] Observation observation(const TestSettled& event, const RunAttempt& attempt);
  [[nodiscard]] SharedDimensions dimensions_of(const std::string& worker);
  void append(bool last);

  std::string dir_;
  const Provenance& provenance_;
  const sys::Clock& clock_;
  std::vector<RunTest> tests_;
  RunStarted started_;
  std::vector<std::int32_t> repetitions_;  ///< of each test: tests of equal identity count up
  bool partial_ = false;
  std::vector<Observation> waiting_;
  std::vector<std::pair<std::string, SharedDimensions>> dimensions_;  ///< by worker
  std::optional<std::chrono::milliseconds> appended_;
  std::optional<Error> failed_;
  std::uint64_t stored_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace flakestat::app
