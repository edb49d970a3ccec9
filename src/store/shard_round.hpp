// `<dir>/shard_rounds/`: the durations by which the shards of one round divide a suite. Each shard teaches new
// durations; those that run later from the same state must divide as the first one did, or tests would be lost or run
// twice.
#pragma once

#include <string>

#include "base/result.hpp"
#include "model/timestamp.hpp"
#include "store/durations.hpp"

namespace flakestat::store {

struct ShardRoundKey {
  int k = 1;
  int n = 1;
  std::string collected_hash;  ///< of the suite: another suite is another round
};

/// The durations that shard k is to divide by: those of the round that is under way (begun within 24 h, and this shard
/// has not been in it), else `known`, with which a new round begins. Machines that begin with equal durations have
/// equal rounds. Under the directory's lock. Errors: io.
[[nodiscard]] Result<Durations> join_shard_round(const std::string& dir, const ShardRoundKey& key,
                                                 const Durations& known, UnixMillis now);

}  // namespace flakestat::store
