// Into which units a suite is cut, and in which order they are begun: what the schedule hands out. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace flakestat::dispatch {

/// Which tests must meet in one worker.
enum class Dist : std::uint8_t {
  load,       ///< none
  loadfile,   ///< those of a file
  loadscope,  ///< those of a class, or of a file outside classes
  loadgroup,  ///< those of an xdist_group
  each,       ///< every worker runs the whole suite
};

/// The word of `--dist`; `worksteal` is `load`. Nothing for any other word; `no` is the caller's.
[[nodiscard]] std::optional<Dist> parse_dist(std::string_view word);

/// Whether slow work may begin before quick work, or the order that was given is one that somebody asked for.
enum class Start : std::uint8_t { slow_first, as_given };

struct ScheduledTest {
  std::string_view id{};            ///< node id
  std::string_view group{};         ///< xdist_group; empty: none
  bool serial = false;              ///< to be run while no other test runs
  bool urgent = false;              ///< before all that are not, in the order given (`--order fail-fast`)
  std::optional<double> seconds{};  ///< expected; no number at all, or a negative one: not known
};

/// `a/test_b.py` of `a/test_b.py::TestC::test_d[1]`.
[[nodiscard]] std::string_view file_of(std::string_view node_id);

/// `a/test_b.py::TestC` of `a/test_b.py::TestC::test_d[x::y]`: up to the last `::`, those in parameters apart.
[[nodiscard]] std::string_view scope_of(std::string_view node_id);

/// What each test is expected to cost, in seconds: what is known, else the median of that, at least a millisecond.
/// When nothing is known each costs 1.
struct Costs {
  std::vector<double> of;  ///< by index of the test
  bool known = false;
};
[[nodiscard]] Costs expected_costs(const std::vector<ScheduledTest>& tests);

/// Tests that a worker takes together, in the order of their running.
struct WorkUnit {
  std::vector<std::size_t> tests;
  bool divisible = false;  ///< parts may go to several workers
};

/// Units in the order in which they are handed out. Serial tests are in none; `dist` is not `each`. O(n log n).
///
/// Tests without a bond are cut into chunks of neighbours, so that a file's fixtures are set up rarely: each chunk
/// holds half of what a worker's share of the remaining seconds is, a fortieth of its share of the whole at least, and
/// ends with a file where one ends nearby. With Start::slow_first (more than one worker, costs known) chunks with tests
/// of a twentieth of a worker's share come first, the slowest first (in large files such a test begins a chunk), then
/// files by the magnitude of their slowest test; bound units by their sum. Inside a chunk the given order stays.
[[nodiscard]] std::vector<WorkUnit> plan_units(const std::vector<ScheduledTest>& tests, const Costs& costs, Dist dist,
                                               int workers, Start start);

}  // namespace flakestat::dispatch
