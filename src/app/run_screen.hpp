// What a run shows: the output that was asked for, or the one that suits the place.
#pragma once

#include <memory>
#include <string>

#include "app/run_setup.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "model/run_event.hpp"
#include "report/run_output.hpp"
#include "report/run_record.hpp"

namespace flakestat::app {

/// `--output`, `--format json`, a CI system's own form, a terminal's live bar, else dots.
[[nodiscard]] std::string output_name(const RunSetup& setup);

/// Gathers what happened and shows it. What framework shows itself is left to it: then only what it cannot know is
/// added.
class RunScreen final : public RunSink {
 public:
  explicit RunScreen(const RunSetup& setup) : setup_(setup) {}
  void take(const RunEvent& event) override;
  void tick();

  [[nodiscard]] const report::RunRecord& record() const { return gather_.record(); }
  /// What went wrong when text was written (a closed pipe).
  [[nodiscard]] const Result<void>& written() const { return written_; }

 private:
  void open(bool framework_shows);

  const RunSetup& setup_;
  report::RunRecorder gather_;
  std::unique_ptr<report::RunOutput> output_;
  Result<void> written_;
};

}  // namespace flakestat::app
