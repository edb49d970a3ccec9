#include "stats/context.hpp"

#include <algorithm>
#include <map>

#include "model/dimensions.hpp"

namespace flakestat::stats {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

bool is_platform(std::string_view key) {
  return key == dim::kOs || key == dim::kArch || key == dim::kRuntimeName || key == dim::kRuntimeVersion ||
         key == "runtime";
}

template <class Selects>
std::string key_of(DimensionPairs dimensions, Selects selects) {
  std::map<std::string_view, std::string_view> chosen;
  for (const auto& [key, value] : dimensions) {
    if (selects(key)) chosen[key] = value;
  }
  std::string out;
  for (const auto& [key, value] : chosen) {
    if (!value.empty()) out.append(key).append(1, '=').append(value).append(1, '\n');
  }
  return out;
}

}  // namespace

std::string environment_key(DimensionPairs dimensions, const ScoringOptions& options) {
  return key_of(dimensions, [&options](std::string_view key) {
    if (is_provenance(key) || contains(options.context_ignore, key)) return false;
    return key != dim::kCiProvider || contains(options.context_keys, key);
  });
}

std::string platform_key(DimensionPairs dimensions) { return key_of(dimensions, is_platform); }

std::string environment_name(std::string_view environment_key) {
  if (environment_key.empty()) return std::string(kAnyEnvironment);
  std::string out(environment_key.substr(0, environment_key.size() - 1));
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

}  // namespace flakestat::stats
