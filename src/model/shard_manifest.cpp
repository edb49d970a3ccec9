#include "model/shard_manifest.hpp"

#include "base/sha256.hpp"

namespace flakestat {

std::string hash_of_names(const std::vector<std::string_view>& sorted) {
  Sha256 hash;
  for (const auto name : sorted) hash.update_prefixed(name);
  return hex_prefix(hash.finish(), 32);
}

}  // namespace flakestat
