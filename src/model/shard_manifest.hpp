// What one shard of a run says of its part, so that all parts together can be checked (docs/formats/shards.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/timestamp.hpp"

namespace flakestat {

struct ShardManifest {
  int k = 1;  ///< 1 to n
  int n = 1;
  std::string run_id;
  UnixMillis started = 0;
  std::string commit;                  ///< that the tests ran on; empty: not known
  std::string ci_run;                  ///< which run of the CI the shard belongs to; empty: none
  std::uint64_t collected_count = 0;   ///< tests of the whole suite, this shard's and the others'
  std::string collected_hash;          ///< of their names: hash_of_names
  std::string partition_hash;          ///< of who runs what, and of the durations that decided it
  std::vector<std::string> ids;        ///< this shard's tests, sorted
  std::vector<std::string> not_run;    ///< of `ids`: never begun, since the run ended early; sorted
  std::vector<std::string> elsewhere;  ///< the other shards' tests, sorted; empty also when they are too many to list
  bool finished = false;               ///< the run came to its end; else it was killed or is still going on
  int exit_code = 0;                   ///< of a run that finished

  friend bool operator==(const ShardManifest&, const ShardManifest&) = default;
};

/// 64 hex digits: SHA-256 over the names, each with its length before it. `sorted`, so that the order of collection
/// does not matter.
[[nodiscard]] std::string hash_of_names(const std::vector<std::string_view>& sorted);

}  // namespace flakestat
