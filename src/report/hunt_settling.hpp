// What a hunt set out to show, before it starts, and what it showed, when it ends: which tests are settled, which not,
// how many more runs those need, and the failure rates that were seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/identity.hpp"
#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// What is known of a test when a hunt ends.
enum class HuntStanding : std::uint8_t {
  open,       ///< further runs may still tell something
  disagreed,  ///< passed and failed
  clean,      ///< passed as often as was wanted, never failed
  broken,     ///< failed as often as was wanted, never passed
};

[[nodiscard]] std::string_view to_string(HuntStanding standing);

/// Results of one test over the runs of a hunt that are believed.
struct HuntedTest {
  TestId test_id{};
  std::string suite;
  std::string class_name;
  std::string name;
  std::uint64_t passes = 0;
  std::uint64_t fails = 0;
  HuntStanding standing = HuntStanding::open;
  int more_runs = 0;       ///< with the result it has always had, to settle it; 0 when it is settled
  bool contended = false;  ///< only beside other copies, or only between selections: no proof
};

/// What a hunt was to show and how it went about it.
struct HuntGoal {
  int runs = 0;                             ///< at most
  std::optional<double> rule_out;           ///< --rule-out
  bool settle = false;                      ///< --settle
  std::optional<std::int64_t> max_time_ms;  ///< --max-time
  std::string selecting;                    ///< how narrowed runs name their tests; empty: they cannot
  bool any_stop = false;                    ///< results may have decided when to stop: intervals must allow for that
  bool out_of_time = false;                 ///< --max-time ended it
  bool settled = false;                     ///< every test was settled before `runs` were made
  std::uint64_t narrowed_runs = 0;          ///< runs of the open tests alone
  std::vector<HuntedTest> tests;            ///< those that --filter selects and that passed or failed, by name

  /// Whether the hunt was asked for more than a number of runs.
  [[nodiscard]] bool has_target() const { return settle || rule_out || max_time_ms; }
};

/// One sentence before the first run: how many runs, and what they can show. No time yet: see pace_line.
[[nodiscard]] std::string plan_line(const HuntGoal& goal);

/// The same after the first run, `runs_left` being the most that are still to be made, `at_once` of them at a time.
[[nodiscard]] std::string pace_line(std::int64_t first_run_ms, int runs_left, int at_once);

/// The failure rates of the tests that disagreed, as a table; empty when none did.
[[nodiscard]] std::string hunt_rates(const HuntGoal& goal, const text::Look& look);

/// What is settled and what is not; empty for a hunt without a target.
[[nodiscard]] std::string hunt_end(const HuntGoal& goal);

/// The members `goal` and `tests` of docs/schema/hunt.schema.json.
void write_goal(text::JsonWriter& json, const HuntGoal& goal);

}  // namespace flakestat::report
