// What a run shows while it goes on and when it is over: `--output NAME`. Everything foreign is escaped for the place
// where it goes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/run_record.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// The terminal's size as it is now; 0: unknown, unlimited.
struct LiveSize {
  std::size_t columns = 0;
  std::size_t rows = 0;
};

struct RunOutputOptions {
  text::Look look;
  std::function<void(std::string_view text)> out;
  /// A terminal's live area, for `bar`: replaces what is shown there; an empty block removes it. The output removes the
  /// block before it writes to `out`. Empty: no terminal, and `bar` becomes `dots`.
  std::function<void(std::string_view block)> live;
  std::function<LiveSize()> live_size;
  bool ci_log = false;      ///< the text goes to the log of a CI system: what looks like its commands is broken
  bool quiet = false;       ///< no headline, no progress
  std::string path_prefix;  ///< from the repository's root to the run's (`services/api/`), for annotations
  std::optional<std::size_t> durations;
  double least_duration = 0.005;
};

class RunOutput : public RunSink {
 public:
  /// Time goes on: outputs that are live draw. Any number of calls; the others do nothing.
  virtual void tick(UnixMillis now);
};

/// The names that make_run_output knows, in the order of the help.
[[nodiscard]] std::span<const std::string_view> run_output_names();

/// `record` must take each event before the output does, and outlive it. Nothing for an unknown name.
[[nodiscard]] std::unique_ptr<RunOutput> make_run_output(std::string_view name, const RunRecord& record,
                                                         RunOutputOptions options);

/// For a framework that prints its own output in its one process: nothing until the end, then only what it cannot know.
[[nodiscard]] std::unique_ptr<RunOutput> make_run_extras(const RunRecord& record, RunOutputOptions options);

}  // namespace flakestat::report
