// `<dir>/shards/`: what each shard of a run did, one file a run_id (docs/formats/shards.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/shard_manifest.hpp"

namespace flakestat::store {

/// The bytes of the file: a function of the manifest alone.
[[nodiscard]] std::string encode_shard(const ShardManifest& manifest);

/// The text of a manifest, at most 512 MiB; `path` stands in messages. Errors: `damaged` when it is none; `config` for
/// a newer version.
[[nodiscard]] Result<ShardManifest> parse_shard_manifest(std::string_view json, const std::string& path);

/// Errors: as parse_shard_manifest; `missing`, `io`.
[[nodiscard]] Result<ShardManifest> read_shard(const std::string& path);

/// The file of a run_id.
[[nodiscard]] std::string shard_file(const std::string& dir, std::string_view run_id);

/// Writes or replaces the manifest of its run_id, durably; then removes those of runs over 90 days ago, and all but the
/// newest thousand. Once before the first test, so that a run that is killed leaves its trace, and once at the end.
/// Errors: io.
[[nodiscard]] Result<void> write_shard(const std::string& dir, const ShardManifest& manifest, UnixMillis now);

/// The manifests in a folder, sorted by name: those of `<folder>/shards`, if there is such a folder, else what is in it
/// directly.
[[nodiscard]] std::vector<std::string> find_shards(const std::string& folder);

}  // namespace flakestat::store
