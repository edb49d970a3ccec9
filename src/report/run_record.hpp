// All that the renderers at the end of a run need, gathered from its events.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/run_event.hpp"

namespace flakestat::report {

struct RunRecord {
  RunStarted started;
  std::vector<std::optional<TestSettled>> settled;  ///< by the test's index; nothing: it was never begun
  std::vector<std::size_t> order;                   ///< settled tests as they settled
  std::vector<WorkerLost> lost;
  std::vector<CollectionProblem> problems;
  std::vector<CollectionSkip> skips;
  std::vector<RunWarning> warnings;
  std::vector<std::string> texts;  ///< of the framework's own plugins
  std::vector<std::string> notes;
  std::optional<RunFinished> finished;

  [[nodiscard]] const RunTest& test(std::size_t index) const { return started.tests[index]; }
};

/// Gathers. Comes before every sink that is given its record. A test that nobody announced is left out; of several
/// settlings of one test the last counts.
class RunRecorder final : public RunSink {
 public:
  void take(const flakestat::RunEvent& event) override;
  [[nodiscard]] const RunRecord& record() const { return record_; }

 private:
  RunRecord record_;
};

/// What could not be collected as a test of its own (`tests/a.py` is `tests.a`), named as pytest's report does, in the
/// suite of the run's first test or, where there is none, in `pytest`. `id` and `file` are the problem's.
[[nodiscard]] RunTest collection_test(const RunStarted& started, const std::string& id);

}  // namespace flakestat::report
