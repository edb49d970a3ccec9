// In which order tests are run, when it is not that of collection: shuffled, or likely failures first. Pure; an order
// is the tests' indexes, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/run_event.hpp"

namespace flakestat::dispatch {

/// Shuffles files, then the classes of each file, then the tests of each class, so that the fixtures of files and
/// classes are still set up once; what stands outside classes is one of them.
///
/// The order is a function of the seed and of each test's own node id, for ever: things that are shuffled are sorted by
/// mix(mix(seed) ^ fnv1a(name)), where fnv1a is 64-bit FNV-1a over the bytes of the file, the scope (work_plan.hpp) or
/// the node id, and mix(x) is the output of splitmix64 in state x; equal keys by name, then by index. So it does not
/// depend on the order of collection, and tests that are left out change nothing in the order of the others. O(n log
/// n).
[[nodiscard]] std::vector<std::size_t> shuffled_order(const std::vector<std::string_view>& ids, std::uint64_t seed);

/// The key by which shuffled_order sorts.
[[nodiscard]] std::uint64_t shuffle_key(std::uint64_t seed, std::string_view name);

/// What is known of a test before a run.
struct PastTrouble {
  bool failed_last = false;         ///< in the run before
  LedgerCounts counts{};            ///< how often it flaked and failed
  std::optional<double> seconds{};  ///< expected
};

struct FailFastOrder {
  std::vector<std::size_t> order;
  std::size_t urgent = 0;  ///< how many at its front are there for a reason
};

/// Tests that failed last time first, quick ones before slow ones; then those with a record, the most troubles per
/// expected second first; then the others as they are. Unknown durations count as the median of the known ones. Equal
/// tests stay in order.
[[nodiscard]] FailFastOrder fail_fast_order(const std::vector<PastTrouble>& tests);

}  // namespace flakestat::dispatch
