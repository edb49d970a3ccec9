// A hunt in a log: one line a run, and not too many of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/hunt.hpp"

namespace flakestat::report {

/// `run 3: exit 1, 2 failed of 40, 1.2s`; without a report what became of it. One line, escaped for a terminal.
[[nodiscard]] std::string run_line(const HuntRun& run);

/// Which runs of a long hunt get a line: all when there are at most 50, else those that failed and one a second.
class RunLines {
 public:
  explicit RunLines(int planned_runs) : thinned_(planned_runs > kMostLines) {}

  /// `now_ms` never goes back.
  [[nodiscard]] bool wants(bool failed, std::int64_t now_ms);

 private:
  static constexpr int kMostLines = 50;
  bool thinned_;
  std::optional<std::int64_t> last_ms_;
};

}  // namespace flakestat::report
