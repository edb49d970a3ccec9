// Splits a suite over machines that do not talk to each other: each computes the whole partition and runs its part.
// Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/shard_manifest.hpp"

namespace flakestat::dispatch {

inline constexpr int kMostShards = 10'000;

struct Shard {
  int k = 1;  ///< 1 to n
  int n = 1;
};

/// `K/N` of `--shard`. Errors: usage.
[[nodiscard]] Result<Shard> parse_shard(std::string_view text);

struct ShardTest {
  std::string_view id;              ///< node id
  std::optional<double> seconds{};  ///< expected
};

/// Who runs what. A function of the tests and their durations alone, not of their order: machines that know the same
/// agree.
struct Partition {
  int n = 1;
  std::vector<int> shard_of;   ///< by index of the test: 1 to n
  std::string collected_hash;  ///< SHA-256 over the sorted names
  std::string partition_hash;  ///< SHA-256 over n and, sorted, each test's name, microseconds and shard
};

/// Files stay whole; the longest file goes first, always to the shard with the least so far. Durations count in
/// microseconds, unknown ones as the median of those that are known; when none is, files weigh as much as they have
/// tests. O(tests log tests).
[[nodiscard]] Partition partition(const std::vector<ShardTest>& tests, int n);

/// The indexes of a shard's tests, in the order of `tests`.
[[nodiscard]] std::vector<std::size_t> tests_of(const Partition& partition, int k);

/// The manifest of a shard whose run begins: all its tests are `not_run`. Names of other shards' tests are listed up to
/// some megabytes. run_id, started, commit and ci_run are the caller's.
[[nodiscard]] ShardManifest begin_manifest(const Partition& partition, const std::vector<ShardTest>& tests,
                                           Shard shard);

/// The run came to its end, early or not: of the shard's tests those that were begun are no longer `not_run`.
void end_manifest(ShardManifest& manifest, const std::vector<std::string_view>& begun, int exit_code);

}  // namespace flakestat::dispatch
