// The place where a run leaves its report: nothing that was there before can be taken for it, and nothing is lost.
//
// Before a run every old report at the place is renamed to `<path>.before-hunt`. After the run: where a new report has
// appeared, the old one is deleted, as the command itself would have overwritten it; where none has, the old one is put
// back. So a hunt leaves behind exactly the files that the same runs without flakestat would have left. A file left
// under that name by a crash is put back (or deleted) by the next hunt. A report that appears with a modification time
// from before the run (a copy out of a cache) is stale.
#pragma once

#include <ctime>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "run/run_facts.hpp"

namespace flakestat::run {

inline constexpr const char* kAsideSuffix = ".before-hunt";

/// What a run left at the place. `problem` is set when `state` is not `whole` (here: fresh and not empty).
struct FreshReports {
  ReportState state = ReportState::whole;
  std::vector<std::string> paths;  ///< sorted
  std::string problem;
};

class ReportSlot {
 public:
  /// Makes the report's folder (not for globs) and sets old reports aside. `pattern` is absolute, `{run}` expanded.
  /// Errors: `usage` when the path is a folder, a device or the like; `io` when an old report cannot be renamed.
  [[nodiscard]] static Result<ReportSlot> prepare(const std::string& pattern);

  ReportSlot(ReportSlot&& other) noexcept;
  ReportSlot& operator=(ReportSlot&&) = delete;
  /// Puts back what no new report has replaced.
  ~ReportSlot();

  /// The old reports stay what is at the place, whatever the run writes: it is a rerun of some tests. To be called
  /// before the run.
  void keep_old() { keep_old_ = true; }

  /// What the run left; to be called once, after it. `root` in front of the place: where the run's own files are, when
  /// it had a tree of its own; the problem's text names the place without it.
  [[nodiscard]] FreshReports collect(const std::string& root = "") const;
  /// The place is a glob.
  [[nodiscard]] bool is_for_several() const;

 private:
  explicit ReportSlot(std::string pattern) : pattern_(std::move(pattern)) {}

  [[nodiscard]] static std::vector<std::string> listed(const std::string& pattern, const std::string& root);
  void adopt_leftovers();
  [[nodiscard]] Result<void> set_aside();
  [[nodiscard]] bool is_stale(const std::string& path) const;

  std::string pattern_;
  std::vector<std::string> aside_;  ///< original paths
  bool keep_old_ = false;
  timespec begin_{};  ///< the file system's own time before the run
};

/// Pure. A file that was last changed in content before `begin` and in place since: a copy that kept its old time. Both
/// before: the clock was set back. Whole seconds come from archives that keep no more: 2 s are then allowed.
[[nodiscard]] bool is_old_copy(const timespec& begin, const timespec& modified, const timespec& changed);

}  // namespace flakestat::run
