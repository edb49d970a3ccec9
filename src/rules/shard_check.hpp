// Whether the shards of a run together ran every test of the suite, each in one of them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/shard_manifest.hpp"

namespace flakestat::rules {

struct ShardEvidence {
  std::string file;  ///< where the manifest was found
  ShardManifest manifest;
};

/// A manifest that counts.
struct ShardPart {
  int k = 1;
  int n = 1;
  std::string run_id;
  std::string file;
  UnixMillis started = 0;
  std::uint64_t tests = 0;
  std::uint64_t run = 0;  ///< of them
  bool finished = false;
  int exit_code = 0;
};

/// A manifest that does not count: of another run, or of a job that was repeated later.
struct SetAside {
  std::string file;
  int k = 1;
  std::string reason;
};

struct DoubledTest {
  std::string id;
  std::vector<int> shards;
};

struct NotRunTest {
  std::string id;
  int shard = 1;
};

struct ShardCheck {
  int expected = 0;                         ///< number of shards
  std::uint64_t collected = 0;              ///< tests of the suite
  std::uint64_t run = 0;                    ///< of them, in one shard at least
  std::vector<ShardPart> parts;             ///< by number
  std::vector<int> missing;                 ///< numbers without a manifest
  std::vector<std::string> contradictions;  ///< manifests that cannot be of one run: sentences without a full stop
  std::vector<DoubledTest> doubled;         ///< by name
  std::vector<NotRunTest> not_run;          ///< given to a shard that ended before it came to them; by name
  std::vector<std::string> unassigned;      ///< given to no shard that is there; by name
  std::uint64_t unnamed = 0;                ///< the same, where nobody wrote down the names
  std::vector<SetAside> set_aside;

  /// Every shard is there and finished, nothing contradicts, every test ran once.
  [[nodiscard]] bool ok() const;
};

/// The newest manifest says which run is looked at: its CI run and its commit. Manifests of another one, or begun over
/// 24 hours before it, are set aside, and so are all but the newest of a shard. `expect`: how many shards there must
/// be; else what the manifests say. With no evidence at all the result is not ok.
[[nodiscard]] ShardCheck check_shards(std::vector<ShardEvidence> evidence, std::optional<int> expect);

}  // namespace flakestat::rules
