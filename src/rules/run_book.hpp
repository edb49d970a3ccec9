// The runs of a history as a gate looks at them: who was in which run, and what came out. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stats/scoring.hpp"

namespace flakestat::rules {

/// What became of a test in a part, as bits: retries and repetitions may bring several.
namespace mark {
inline constexpr std::uint8_t kPassed = 1;
inline constexpr std::uint8_t kFailed = 2;
inline constexpr std::uint8_t kSkipped = 4;
inline constexpr std::uint8_t kSanitised = 8;
inline constexpr std::uint8_t kQuarantined = 16;
}  // namespace mark

struct Entry {
  std::uint32_t test = 0;
  std::uint8_t marks = 0;

  [[nodiscard]] bool executed() const { return (marks & (mark::kPassed | mark::kFailed)) != 0; }
  /// Failed, and no retry passed.
  [[nodiscard]] bool failing() const { return (marks & mark::kFailed) != 0 && (marks & mark::kPassed) == 0; }
};

/// A job's share of a run.
struct Part {
  std::uint32_t run = 0;
  std::uint32_t lane = 0;  ///< number of its branch and environment
  std::string run_id;      ///< as stats::Outage names it
  UnixMillis started = 0;
  std::optional<std::uint32_t> attempt;  ///< the CI's count
  bool sharded = false;
  bool hunt = false;
  bool damaged = false;        ///< a report of it broke off
  bool selected = true;        ///< no execution came from a run of all tests
  bool outage = false;         ///< see mark_outages
  std::vector<Entry> entries;  ///< by test
};

/// The parts that one CI run, or one invocation, brought: all environments and shards.
struct Run {
  std::string id;  ///< the CI's, else the run_id
  std::string branch;
  std::string code;
  UnixMillis newest = 0;  ///< start of the part that started last
  std::vector<std::uint32_t> parts;
};

struct TestPast {
  TestId id{};
  std::uint32_t first_run = 0;
  std::uint32_t first_code = 0;
  bool several_runs = false;
  std::uint32_t clean = 0;       ///< passes since the last failure
  std::uint32_t most_clean = 0;  ///< most passes in a row, ever
};

/// Filled by History::walk; 8 bytes an execution. Not thread-safe.
class RunBook final : public stats::JobVisitor {
 public:
  /// `damaged`: run ids with executions from reports that broke off.
  explicit RunBook(std::set<std::string, std::less<>> damaged = {}) : damaged_(std::move(damaged)) {}

  void enter(const stats::JobView& job) override;
  void execution(const stats::ExecutionView& execution) override;

  void mark_outages(std::span<const stats::Outage> outages);

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] const std::vector<TestPast>& tests() const { return tests_; }

  /// Every part of it is a hunt's.
  [[nodiscard]] bool is_hunt(std::uint32_t run) const;

  /// Numbers of the runs, the newest first; of runs that started together the one folded last.
  [[nodiscard]] std::vector<std::uint32_t> newest_first() const;
  /// The same of one branch.
  [[nodiscard]] std::vector<std::uint32_t> newest_first(const std::string& branch) const;
  /// Every test of the run, marks of its parts united, by test.
  [[nodiscard]] std::vector<Entry> entries_of(const Run& run) const;
  /// Numbers of the run's parts without those that were run again: a later part of the same branch and environment has
  /// at least half of their tests. Later is a higher attempt where CI counts them, since jobs of one attempt are
  /// neighbours; else what started later.
  [[nodiscard]] std::vector<std::uint32_t> current_parts(const Run& run) const;

 private:
  [[nodiscard]] std::uint32_t run_of(const stats::JobView& job);

  std::set<std::string, std::less<>> damaged_;
  std::vector<Part> parts_;
  std::vector<Run> runs_;
  std::vector<TestPast> tests_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> run_numbers_;   ///< branch, id
  std::map<std::pair<std::string, std::string>, std::uint32_t> lane_numbers_;  ///< branch, environment
  std::uint32_t code_ = 0;
};

}  // namespace flakestat::rules
